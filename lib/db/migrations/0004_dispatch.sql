CREATE TABLE "network_health" (
	"platform" text PRIMARY KEY NOT NULL,
	"faults" integer NOT NULL,
	"closures" integer DEFAULT 0 NOT NULL,
	"closed_until" timestamp with time zone,
	"allowance" integer
);
--> statement-breakpoint
CREATE TABLE "publish_attempts" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "publish_attempts_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"publication_id" bigint NOT NULL,
	"post_id" bigint NOT NULL,
	"outcome" text NOT NULL,
	"says" text NOT NULL,
	"answer" jsonb,
	"started_at" timestamp with time zone NOT NULL,
	"ended_at" timestamp with time zone NOT NULL,
	"times" integer DEFAULT 1 NOT NULL,
	"again_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "publishing_pause" (
	"id" integer PRIMARY KEY DEFAULT 1 NOT NULL,
	"paused_at" timestamp with time zone DEFAULT now() NOT NULL,
	"reason" text
);
--> statement-breakpoint
ALTER TABLE "accounts" ADD COLUMN "state_since" timestamp with time zone DEFAULT now() NOT NULL;--> statement-breakpoint
ALTER TABLE "accounts" ADD COLUMN "previous_tokens_sealed" "bytea";--> statement-breakpoint
ALTER TABLE "accounts" ADD COLUMN "presented_hash" "bytea";--> statement-breakpoint
ALTER TABLE "accounts" ADD COLUMN "wait_until" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "publications" ADD COLUMN "due_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "publications" ADD COLUMN "claims" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "publish_attempts" ADD CONSTRAINT "publish_attempts_publication_id_publications_id_fk" FOREIGN KEY ("publication_id") REFERENCES "public"."publications"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "publish_attempts_of_publication" ON "publish_attempts" USING btree ("publication_id","id");--> statement-breakpoint
CREATE INDEX "publications_due" ON "publications" USING btree ("due_at","account_id") WHERE "publications"."due_at" is not null;--> statement-breakpoint
CREATE INDEX "publications_due_of_account" ON "publications" USING btree ("account_id","due_at") WHERE "publications"."due_at" is not null;--> statement-breakpoint
UPDATE "publications" SET "due_at" = greatest("schedules"."scheduled_time", "publications"."lease_until") FROM "schedules" WHERE "schedules"."id" = "publications"."schedule_id" AND "publications"."status" IN ('PENDING', 'IN_PROGRESS') AND "schedules"."status" IN ('SCHEDULED', 'IN_PROGRESS');--> statement-breakpoint
CREATE FUNCTION "publications_announced"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF EXISTS (SELECT 1 FROM inserted WHERE due_at < clock_timestamp() + interval '2 seconds') THEN
		PERFORM pg_notify('publications_due', '');
	END IF;
	RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER "publications_inserted" AFTER INSERT ON "publications" REFERENCING NEW TABLE AS "inserted" FOR EACH STATEMENT EXECUTE FUNCTION "publications_announced"();
