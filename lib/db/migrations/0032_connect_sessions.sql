CREATE TABLE "connect_sessions" (
	"id" uuid PRIMARY KEY NOT NULL,
	"owner_id" uuid NOT NULL,
	"origins" text[] NOT NULL,
	"platforms" text[],
	"appearance" jsonb NOT NULL,
	"token_hash" "bytea" NOT NULL,
	"frame_token_hash" "bytea",
	"expires_at" timestamp with time zone NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "connect_sessions" ADD CONSTRAINT "connect_sessions_owner_id_users_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "connect_sessions_of_owner" ON "connect_sessions" USING btree ("owner_id");--> statement-breakpoint
CREATE INDEX "connect_sessions_by_age" ON "connect_sessions" USING btree ("expires_at");