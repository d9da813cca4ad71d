CREATE TABLE "installation" (
	"id" integer PRIMARY KEY DEFAULT 1 NOT NULL,
	"installation_id" uuid DEFAULT gen_random_uuid() NOT NULL,
	"epoch" integer DEFAULT 0 NOT NULL,
	"system_identifier" text,
	"timeline" integer,
	"published_count" bigint DEFAULT 0 NOT NULL,
	"heartbeat_at" timestamp with time zone,
	"held_at" timestamp with time zone,
	"held_reason" text,
	"held_since_point" timestamp with time zone,
	"key_checks" jsonb,
	"store_id" text,
	"addresses" jsonb
);
--> statement-breakpoint
CREATE TABLE "publish_counts" (
	"worker_id" uuid PRIMARY KEY NOT NULL,
	"published" bigint NOT NULL,
	"counted_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
INSERT INTO "installation" ("id") VALUES (1);
