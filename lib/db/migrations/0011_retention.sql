ALTER TABLE "partner_calls" ADD COLUMN "deleted_posts" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
-- Lets Carillon delete lines of the audit log that are older than a year (RETENTION_AUDIT_DAYS). A transaction must ask for it. If the
-- function belongs to another role (docs/operate.md), it stays as it is, and lines are never deleted.
DO $migration$
BEGIN
	IF (SELECT pg_has_role(proowner, 'MEMBER') FROM pg_proc WHERE oid = 'reject_audit_log_change()'::regprocedure) THEN
		CREATE OR REPLACE FUNCTION "reject_audit_log_change"() RETURNS trigger LANGUAGE plpgsql AS $$
		BEGIN
			IF TG_OP = 'DELETE' AND current_setting('carillon.audit_retention', true) = 'on' THEN
				IF OLD.at < now() - interval '365 days' THEN
					RETURN OLD;
				END IF;
			END IF;
			RAISE EXCEPTION 'the audit log is append-only' USING ERRCODE = 'insufficient_privilege';
		END $$;
	END IF;
END $migration$;
