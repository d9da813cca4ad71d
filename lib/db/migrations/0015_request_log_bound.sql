-- carillon: outside a transaction
-- Prepares the next migration (ADR 36): proves without a lock that all rows are older than a day of next week, so that the table can
-- become the partition of everything before that day without reading it again.
DO $$
BEGIN
	PERFORM set_config('lock_timeout', '2s', true);
	ALTER TABLE request_log DROP CONSTRAINT IF EXISTS request_log_before_days;
	EXECUTE format('ALTER TABLE request_log ADD CONSTRAINT request_log_before_days CHECK (at < %L) NOT VALID',
		date_trunc('day', now(), 'UTC') + interval '8 days');
END $$;--> statement-breakpoint
ALTER TABLE request_log VALIDATE CONSTRAINT request_log_before_days;--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS request_log_first_key;--> statement-breakpoint
CREATE UNIQUE INDEX CONCURRENTLY request_log_first_key ON request_log USING btree (id, at);
