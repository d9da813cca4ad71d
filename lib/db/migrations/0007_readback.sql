ALTER TABLE "accounts" ADD COLUMN "tokens_refused_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "publish_steps" ADD COLUMN "lookalike_key" text;--> statement-breakpoint
ALTER TABLE "publish_steps" ADD COLUMN "listed_before" text[];--> statement-breakpoint
ALTER TABLE "posts" ADD COLUMN "network_place" text;--> statement-breakpoint
ALTER TABLE "publications" ADD COLUMN "send_again" boolean DEFAULT false NOT NULL;--> statement-breakpoint
CREATE INDEX "publish_steps_lookalikes" ON "publish_steps" USING btree ("lookalike_key") WHERE "publish_steps"."lookalike_key" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "posts_by_network_post" ON "posts" USING btree ("network_place","network_post_id") WHERE "posts"."network_place" is not null;