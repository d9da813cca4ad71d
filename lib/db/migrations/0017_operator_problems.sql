CREATE TABLE "operator_problems" (
	"platform" text NOT NULL,
	"reason" text NOT NULL,
	"fix" text NOT NULL,
	"times" integer DEFAULT 1 NOT NULL,
	"first_at" timestamp with time zone DEFAULT now() NOT NULL,
	"last_at" timestamp with time zone DEFAULT now() NOT NULL,
	"resolved_at" timestamp with time zone,
	"mailed_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "operator_problems_platform_reason_pk" PRIMARY KEY("platform","reason")
);
