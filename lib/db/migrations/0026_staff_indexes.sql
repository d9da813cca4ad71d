-- carillon: outside a transaction
DROP INDEX CONCURRENTLY IF EXISTS "audit_log_of_action";--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "publications_unknown";--> statement-breakpoint
CREATE INDEX CONCURRENTLY "audit_log_of_action" ON "audit_log" USING btree ("action","id");--> statement-breakpoint
CREATE INDEX CONCURRENTLY "publications_unknown" ON "publications" USING btree ("id") WHERE "publications"."status" = 'UNKNOWN' and "publications"."left_at" is null;
