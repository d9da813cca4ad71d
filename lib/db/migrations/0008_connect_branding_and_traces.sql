CREATE TABLE "connect_traces" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"code" text NOT NULL,
	"owner_id" uuid NOT NULL,
	"partner_id" uuid,
	"state_id" uuid NOT NULL,
	"platform" text NOT NULL,
	"returns_to" text NOT NULL,
	"steps" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"outcome" text,
	"account_id" bigint,
	"started_at" timestamp with time zone DEFAULT now() NOT NULL,
	"ended_at" timestamp with time zone,
	CONSTRAINT "connect_traces_code_unique" UNIQUE("code")
);
--> statement-breakpoint
CREATE TABLE "partner_branding" (
	"partner_id" uuid PRIMARY KEY NOT NULL,
	"display_name" text,
	"accent" text,
	"accent_dark" text,
	"language" text,
	"home_url" text,
	"logo" "bytea",
	"logo_digest" text,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "connect_attempts" ADD COLUMN "language" text DEFAULT 'en' NOT NULL;--> statement-breakpoint
ALTER TABLE "connect_traces" ADD CONSTRAINT "connect_traces_owner_id_users_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "connect_traces" ADD CONSTRAINT "connect_traces_partner_id_partners_id_fk" FOREIGN KEY ("partner_id") REFERENCES "public"."partners"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "connect_traces" ADD CONSTRAINT "connect_traces_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "partner_branding" ADD CONSTRAINT "partner_branding_partner_id_partners_id_fk" FOREIGN KEY ("partner_id") REFERENCES "public"."partners"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "connect_traces_of_partner" ON "connect_traces" USING btree ("partner_id","started_at","id");--> statement-breakpoint
CREATE INDEX "connect_traces_of_owner" ON "connect_traces" USING btree ("owner_id");--> statement-breakpoint
CREATE INDEX "connect_traces_of_state" ON "connect_traces" USING btree ("state_id");--> statement-breakpoint
CREATE INDEX "connect_traces_by_age" ON "connect_traces" USING btree ("started_at");--> statement-breakpoint
CREATE INDEX "partner_branding_logo" ON "partner_branding" USING btree ("logo_digest") WHERE "partner_branding"."logo_digest" is not null;--> statement-breakpoint
ALTER TABLE "connect_attempts" DROP COLUMN "step";