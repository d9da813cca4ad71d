CREATE TABLE "webhook_earlier_secrets" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "webhook_earlier_secrets_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"endpoint_id" bigint NOT NULL,
	"secret_sealed" "bytea" NOT NULL,
	"expires_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "webhook_earlier_secrets" ADD CONSTRAINT "webhook_earlier_secrets_endpoint_id_webhook_endpoints_id_fk" FOREIGN KEY ("endpoint_id") REFERENCES "public"."webhook_endpoints"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "webhook_earlier_secrets_of_endpoint" ON "webhook_earlier_secrets" USING btree ("endpoint_id","expires_at");
--> statement-breakpoint
INSERT INTO "webhook_earlier_secrets" ("endpoint_id", "secret_sealed", "expires_at") SELECT "id", "previous_secret_sealed", "previous_secret_until" FROM "webhook_endpoints" WHERE "previous_secret_sealed" IS NOT NULL AND "previous_secret_until" > now();
