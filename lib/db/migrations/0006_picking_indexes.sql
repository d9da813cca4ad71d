-- carillon: outside a transaction
-- Only rows that have a due time; the trigger sets the network of the others when they become due.
DO $$
DECLARE
	last bigint := 0;
	ids bigint[];
BEGIN
	LOOP
		SELECT array_agg(id), max(id) INTO ids, last FROM (
			SELECT id FROM publications WHERE id > last AND platform IS NULL AND due_at IS NOT NULL ORDER BY id LIMIT 5000
		) batch;
		EXIT WHEN ids IS NULL;
		UPDATE publications p SET platform = a.platform FROM accounts a WHERE p.id = ANY (ids) AND a.id = p.account_id;
		COMMIT;
	END LOOP;
END $$;--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "publications_due_of_network";--> statement-breakpoint
CREATE INDEX CONCURRENTLY "publications_due_of_network" ON "publications" USING btree ("platform","due_at","account_id") WHERE "publications"."due_at" is not null;--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "publications_without_due_time";--> statement-breakpoint
CREATE INDEX CONCURRENTLY "publications_without_due_time" ON "publications" USING btree ("schedule_id") WHERE "publications"."due_at" is null and "publications"."status" in ('PENDING', 'IN_PROGRESS');--> statement-breakpoint
-- The previous release then finds due rows by the index of each account, which is slower but correct.
DROP INDEX CONCURRENTLY IF EXISTS "publications_due";
