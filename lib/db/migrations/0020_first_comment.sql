ALTER TABLE "publications" ADD COLUMN "comment" jsonb;--> statement-breakpoint
ALTER TABLE "publications" ADD COLUMN "comment_due_at" timestamp with time zone;--> statement-breakpoint
-- A published publication owes its first comment, in the same transaction, also if a worker of the previous release settles it.
CREATE FUNCTION "owe_first_comment"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	NEW.comment := '{"status":"PENDING"}';
	NEW.comment_due_at := clock_timestamp();
	RETURN NEW;
END $$;--> statement-breakpoint
CREATE TRIGGER "publications_first_comment" BEFORE UPDATE OF "status" ON "publications" FOR EACH ROW
	WHEN (NEW.status = 'PUBLISHED' AND NEW.comment IS NULL AND NEW.settings ->> 'firstComment' <> '') EXECUTE FUNCTION "owe_first_comment"();
