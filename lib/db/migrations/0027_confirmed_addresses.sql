-- carillon: outside a transaction
DROP INDEX CONCURRENTLY IF EXISTS "users_confirmed_address";--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "users_of_address";--> statement-breakpoint
CREATE UNIQUE INDEX CONCURRENTLY "users_confirmed_address" ON "users" USING btree (lower("email")) WHERE "users"."partner_id" is null and "users"."email_confirmed_at" is not null;--> statement-breakpoint
CREATE INDEX CONCURRENTLY "users_of_address" ON "users" USING btree (lower("email")) WHERE "users"."partner_id" is null;--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "users_sign_in";
