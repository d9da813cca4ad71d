CREATE TABLE "authorization_codes" (
	"code_hash" "bytea" PRIMARY KEY NOT NULL,
	"grant_id" uuid NOT NULL,
	"redirect_uri" text NOT NULL,
	"challenge" text,
	"expires_at" timestamp with time zone NOT NULL,
	"used_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "refresh_tokens" (
	"token_hash" "bytea" PRIMARY KEY NOT NULL,
	"grant_id" uuid NOT NULL,
	"spent_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "applications" ADD COLUMN "is_public" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "grants" ADD COLUMN "expires_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "signing_keys" ADD COLUMN "tokens_until" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "authorization_codes" ADD CONSTRAINT "authorization_codes_grant_id_grants_id_fk" FOREIGN KEY ("grant_id") REFERENCES "public"."grants"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "refresh_tokens" ADD CONSTRAINT "refresh_tokens_grant_id_grants_id_fk" FOREIGN KEY ("grant_id") REFERENCES "public"."grants"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "authorization_codes_of_grant" ON "authorization_codes" USING btree ("grant_id");--> statement-breakpoint
CREATE INDEX "refresh_tokens_of_grant" ON "refresh_tokens" USING btree ("grant_id");--> statement-breakpoint
CREATE INDEX "grants_that_expire" ON "grants" USING btree ("expires_at") WHERE "grants"."expires_at" is not null;--> statement-breakpoint
CREATE INDEX "grants_of_user" ON "grants" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "grants_of_client" ON "grants" USING btree ("client_id");--> statement-breakpoint
CREATE FUNCTION "access_changed"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	PERFORM pg_notify('access_changed', to_jsonb(old) ->> tg_argv[0]);
	RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER "grants_changed" AFTER UPDATE OF "revoked_at", "scopes" ON "grants" FOR EACH ROW EXECUTE FUNCTION "access_changed"('id');--> statement-breakpoint
CREATE TRIGGER "grants_deleted" AFTER DELETE ON "grants" FOR EACH ROW WHEN (old."expires_at" IS NULL OR old."expires_at" > now() - interval '2 hours') EXECUTE FUNCTION "access_changed"('id');--> statement-breakpoint
CREATE TRIGGER "users_suspended" AFTER UPDATE OF "suspended_at" ON "users" FOR EACH ROW EXECUTE FUNCTION "access_changed"('id');--> statement-breakpoint
CREATE TRIGGER "applications_suspended" AFTER UPDATE OF "suspended_at" ON "applications" FOR EACH ROW EXECUTE FUNCTION "access_changed"('client_id');
