CREATE TABLE "data_deletions" (
	"code" text PRIMARY KEY NOT NULL,
	"platform" text NOT NULL,
	"accounts" integer NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "accounts" ADD COLUMN "notice_account_id" text;--> statement-breakpoint
CREATE INDEX "accounts_of_notice" ON "accounts" USING btree ("platform","notice_account_id") WHERE "accounts"."notice_account_id" is not null;