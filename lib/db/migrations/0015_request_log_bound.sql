-- carillon: outside a transaction
-- Prepares the next migration (ADR 36): proves without a lock that all rows are older than a day of next week, so that the table can
-- become the partition of everything before that day without reading it again. If the next migration does not follow before that day,
-- later requests are not logged, and no insert fails.
CREATE OR REPLACE FUNCTION skip_request() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END';--> statement-breakpoint
DO $$
DECLARE
	bound timestamptz := date_trunc('day', now(), 'UTC') + interval '8 days';
BEGIN
	PERFORM set_config('lock_timeout', '2s', true);
	ALTER TABLE request_log DROP CONSTRAINT IF EXISTS request_log_before_days;
	EXECUTE format('ALTER TABLE request_log ADD CONSTRAINT request_log_before_days CHECK (at < %L) NOT VALID', bound);
	DROP TRIGGER IF EXISTS request_log_skip ON request_log;
	EXECUTE format('CREATE TRIGGER request_log_skip BEFORE INSERT ON request_log FOR EACH ROW
		WHEN (NEW.at >= %L) EXECUTE FUNCTION skip_request()', bound);
END $$;--> statement-breakpoint
ALTER TABLE request_log VALIDATE CONSTRAINT request_log_before_days;--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS request_log_first_key;--> statement-breakpoint
CREATE UNIQUE INDEX CONCURRENTLY request_log_first_key ON request_log USING btree (id, at);
