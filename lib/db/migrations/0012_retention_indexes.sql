-- carillon: outside a transaction
DROP INDEX CONCURRENTLY IF EXISTS "schedules_finished";--> statement-breakpoint
CREATE INDEX CONCURRENTLY "schedules_finished" ON "schedules" USING btree ("updated_at") WHERE "schedules"."status" in ('COMPLETED', 'PARTIALLY_COMPLETED', 'FAILED');
