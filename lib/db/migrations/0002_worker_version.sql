ALTER TABLE "installation" ADD COLUMN "last_backup_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "workers" ADD COLUMN "version" text;