ALTER TABLE "schedules" ADD COLUMN "proposed_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "schedules" ADD COLUMN "proposed_by" text;--> statement-breakpoint
ALTER TABLE "schedules" ADD COLUMN "proposed_client_id" text;--> statement-breakpoint
ALTER TABLE "schedules" ADD COLUMN "approved_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "schedules" ADD COLUMN "approved_digest" text;--> statement-breakpoint
-- NOT VALID: no row has a mark yet, so none needs to be checked.
ALTER TABLE "schedules" ADD CONSTRAINT "schedules_proposals_are_approved" CHECK ("schedules"."proposed_at" is null or "schedules"."status" = 'DRAFT' or "schedules"."approved_digest" is not null) NOT VALID;