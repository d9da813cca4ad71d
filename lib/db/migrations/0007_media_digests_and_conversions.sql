ALTER TABLE "media" RENAME COLUMN "sha256" TO "digest";--> statement-breakpoint
CREATE TABLE "media_conversions" (
	"id" uuid PRIMARY KEY NOT NULL,
	"media_id" uuid NOT NULL,
	"recipe" text NOT NULL,
	"content_type" text NOT NULL,
	"size_bytes" bigint NOT NULL,
	"width" bigint NOT NULL,
	"height" bigint NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX "media_conversions_once" ON "media_conversions" USING btree ("media_id","recipe");