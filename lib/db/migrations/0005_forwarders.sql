CREATE TABLE "forwarders" (
	"kind" text PRIMARY KEY NOT NULL,
	"address" text NOT NULL,
	"header" text NOT NULL,
	"seen_at" timestamp with time zone DEFAULT now() NOT NULL
);
