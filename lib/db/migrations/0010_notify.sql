ALTER TABLE "installation" ADD COLUMN "notifies" boolean;--> statement-breakpoint
-- Sends a notification, unless DATABASE_NOTIFY is off. Every notification of Carillon is sent by this function.
CREATE FUNCTION "notify_processes"("channel" text, "payload" text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
	IF NOT EXISTS (SELECT 1 FROM installation WHERE NOT notifies) THEN
		PERFORM pg_notify(channel, payload);
	END IF;
END $$;--> statement-breakpoint
CREATE OR REPLACE FUNCTION "access_changed"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	PERFORM notify_processes('access_changed', to_jsonb(old) ->> tg_argv[0]);
	RETURN NULL;
END $$;--> statement-breakpoint
CREATE OR REPLACE FUNCTION "notify_publications_due"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF EXISTS (SELECT 1 FROM inserted WHERE due_at < clock_timestamp() + interval '2 seconds') THEN
		PERFORM notify_processes('publications_due', '');
	END IF;
	RETURN NULL;
END $$;
