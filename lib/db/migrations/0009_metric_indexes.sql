-- carillon: outside a transaction
DROP INDEX CONCURRENTLY IF EXISTS "accounts_to_reconnect";--> statement-breakpoint
CREATE INDEX CONCURRENTLY "accounts_to_reconnect" ON "accounts" USING btree ("platform") WHERE "accounts"."state" = 'RECONNECT_REQUIRED' and "accounts"."disconnected_at" is null;--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "accounts_ending";--> statement-breakpoint
CREATE INDEX CONCURRENTLY "accounts_ending" ON "accounts" USING btree ("permission_ends_at","platform") WHERE "accounts"."permission_ends_at" is not null and "accounts"."disconnected_at" is null;--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "publish_steps_sending";--> statement-breakpoint
CREATE INDEX CONCURRENTLY "publish_steps_sending" ON "publish_steps" USING btree ("sent_at") WHERE "publish_steps"."state" = 'SENDING';
