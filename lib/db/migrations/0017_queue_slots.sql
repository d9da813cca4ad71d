CREATE TABLE "queue_slots" (
	"account_id" bigint PRIMARY KEY NOT NULL,
	"time_zone" text NOT NULL,
	"minutes" integer[] NOT NULL
);
--> statement-breakpoint
ALTER TABLE "queue_slots" ADD CONSTRAINT "queue_slots_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;