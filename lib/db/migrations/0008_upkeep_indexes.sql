-- carillon: outside a transaction
DROP INDEX CONCURRENTLY IF EXISTS "accounts_by_profile";--> statement-breakpoint
CREATE INDEX CONCURRENTLY "accounts_by_profile" ON "accounts" USING btree ("platform","profile_read_at") WHERE "accounts"."state" = 'ACTIVE' and "accounts"."disconnected_at" is null;--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "accounts_by_token_end";--> statement-breakpoint
CREATE INDEX CONCURRENTLY "accounts_by_token_end" ON "accounts" USING btree ("platform","tokens_expire_at") WHERE "accounts"."state" = 'ACTIVE' and "accounts"."disconnected_at" is null;
