ALTER TABLE "idempotency_keys" DROP CONSTRAINT "idempotency_keys_owner_id_users_id_fk";
--> statement-breakpoint
ALTER TABLE "idempotency_keys" ALTER COLUMN "answer" SET DATA TYPE json;--> statement-breakpoint
ALTER TABLE "idempotency_keys" ADD COLUMN "status" integer DEFAULT 201 NOT NULL;--> statement-breakpoint
ALTER TABLE "publications" ADD COLUMN "retried_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "publish_steps" ADD COLUMN "irreversible" boolean DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "deleting_at" timestamp with time zone;