-- carillon: outside a transaction
DROP INDEX CONCURRENTLY IF EXISTS "media_imports_of_owner_in_order";--> statement-breakpoint
CREATE INDEX CONCURRENTLY "media_imports_of_owner_in_order" ON "media_imports" USING btree ("owner_id","id");--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "posts_further_of_owner";--> statement-breakpoint
CREATE INDEX CONCURRENTLY "posts_further_of_owner" ON "posts" USING btree ("owner_id","position") WHERE "posts"."position" > 0;--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "posts_by_text";--> statement-breakpoint
CREATE INDEX CONCURRENTLY "posts_by_text" ON "posts" USING gin (text_grams("content", "owner_id"::text));--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "publications_by_text";--> statement-breakpoint
CREATE INDEX CONCURRENTLY "publications_by_text" ON "publications" USING gin (text_grams(setting_texts("settings"), "account_id"::text)) WHERE setting_texts("publications"."settings") <> '';--> statement-breakpoint
ALTER INDEX "posts_by_text" ALTER COLUMN 1 SET STATISTICS 0;--> statement-breakpoint
ALTER INDEX "publications_by_text" ALTER COLUMN 1 SET STATISTICS 0;
