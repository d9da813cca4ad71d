-- carillon: outside a transaction
DROP INDEX CONCURRENTLY IF EXISTS "schedules_by_status_and_time";--> statement-breakpoint
CREATE INDEX CONCURRENTLY "schedules_by_status_and_time" ON "schedules" USING btree ("owner_id","status","scheduled_time","id");
