ALTER TABLE "event_readers" ADD COLUMN "rest_xid" "xid8";--> statement-breakpoint
-- Wakes the readers that rest. While none does, writing an event notifies nobody, because transactions that notify wait for each other.
CREATE FUNCTION "notify_resting_readers"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF EXISTS (SELECT 1 FROM event_readers WHERE rest_xid IS NOT NULL) THEN
		PERFORM notify_processes('events_written', '');
	END IF;
	RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER "events_inserted" AFTER INSERT ON "events" FOR EACH STATEMENT EXECUTE FUNCTION "notify_resting_readers"();--> statement-breakpoint
CREATE FUNCTION "notify_deliveries_due"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	PERFORM notify_processes('deliveries_due', '');
	RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER "webhook_deliveries_due_now" AFTER INSERT OR UPDATE OF "due_at" ON "webhook_deliveries" FOR EACH ROW
	WHEN (NEW.claim_worker IS NULL AND NEW.due_at <= clock_timestamp()) EXECUTE FUNCTION "notify_deliveries_due"();
