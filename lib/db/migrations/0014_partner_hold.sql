ALTER TABLE "accounts" ADD COLUMN "held_since" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "connect_attempts" ADD COLUMN "account" text;--> statement-breakpoint
ALTER TABLE "partners" ADD COLUMN "interstitial" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "partners" ADD COLUMN "hold" boolean DEFAULT false NOT NULL;