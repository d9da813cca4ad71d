ALTER TABLE "publications" ADD COLUMN "platform" text;--> statement-breakpoint
-- Sets the network of a publication that the previous release stores, or that it stored and that now becomes due.
CREATE FUNCTION "set_publication_platform"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	NEW.platform := (SELECT platform FROM accounts WHERE id = NEW.account_id);
	RETURN NEW;
END $$;--> statement-breakpoint
CREATE TRIGGER "publications_platform" BEFORE INSERT OR UPDATE OF "due_at" ON "publications" FOR EACH ROW
	WHEN (NEW.platform IS NULL AND NEW.due_at IS NOT NULL) EXECUTE FUNCTION "set_publication_platform"();
