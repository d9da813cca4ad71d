-- carillon: outside a transaction
DROP INDEX CONCURRENTLY IF EXISTS "publications_comment_due";--> statement-breakpoint
CREATE INDEX CONCURRENTLY "publications_comment_due" ON "publications" USING btree ("comment_due_at") WHERE "publications"."comment_due_at" is not null;
