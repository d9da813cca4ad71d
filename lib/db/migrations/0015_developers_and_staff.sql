CREATE TABLE "request_log" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "request_log_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"at" timestamp with time zone NOT NULL,
	"request_id" uuid NOT NULL,
	"owner_id" uuid,
	"partner_id" uuid,
	"grant_id" uuid NOT NULL,
	"method" text NOT NULL,
	"path" text NOT NULL,
	"status" integer NOT NULL,
	"ms" integer NOT NULL
);
--> statement-breakpoint
ALTER TABLE "applications" ADD COLUMN "owner_id" uuid;--> statement-breakpoint
ALTER TABLE "grants" ADD COLUMN "name" text;--> statement-breakpoint
ALTER TABLE "request_log" ADD CONSTRAINT "request_log_owner_id_users_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "request_log" ADD CONSTRAINT "request_log_partner_id_partners_id_fk" FOREIGN KEY ("partner_id") REFERENCES "public"."partners"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "request_log_of_owner" ON "request_log" USING btree ("owner_id","id");--> statement-breakpoint
CREATE INDEX "request_log_of_partner" ON "request_log" USING btree ("partner_id","id") WHERE "request_log"."partner_id" is not null;--> statement-breakpoint
CREATE INDEX "request_log_by_request" ON "request_log" USING btree ("request_id");--> statement-breakpoint
CREATE INDEX "request_log_by_age" ON "request_log" USING brin ("at");--> statement-breakpoint
ALTER TABLE "applications" ADD CONSTRAINT "applications_owner_id_users_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "applications_of_owner" ON "applications" USING btree ("owner_id") WHERE "applications"."owner_id" is not null;--> statement-breakpoint
CREATE INDEX "posts_by_permalink" ON "posts" USING btree ("permalink") WHERE "posts"."permalink" is not null;