-- Hashes of the files that a post names, for the index posts_by_file: an index key must be short, but the URL of an attachment may be long.
CREATE FUNCTION "file_hashes"("paths" text[], "thumbnail" text) RETURNS bigint[] LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN (SELECT array_agg(hashtextextended("path", 0)) FROM unnest(array_append("paths", "thumbnail")) AS "path" WHERE "path" IS NOT NULL);--> statement-breakpoint
CREATE TABLE "accounts" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "accounts_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"owner_id" uuid NOT NULL,
	"platform" text NOT NULL,
	"network_account_id" text NOT NULL,
	"callback_account_id" text,
	"username" text NOT NULL,
	"display_name" text NOT NULL,
	"avatar_url" text,
	"profile_read_at" timestamp with time zone DEFAULT now() NOT NULL,
	"state" text DEFAULT 'ACTIVE' NOT NULL,
	"state_reason" text,
	"state_since" timestamp with time zone DEFAULT now() NOT NULL,
	"held_since" timestamp with time zone,
	"tokens_sealed" "bytea",
	"tokens_expire_at" timestamp with time zone,
	"tokens_refreshed_at" timestamp with time zone,
	"tokens_refused_at" timestamp with time zone,
	"permission_ends_at" timestamp with time zone,
	"refresh_claim_until" timestamp with time zone,
	"previous_tokens_sealed" "bytea",
	"presented_hash" "bytea",
	"wait_until" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	"disconnected_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "bot_offsets" (
	"platform" text PRIMARY KEY NOT NULL,
	"offset" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "data_deletions" (
	"code" text PRIMARY KEY NOT NULL,
	"platform" text NOT NULL,
	"accounts" integer NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "destinations" (
	"account_id" bigint NOT NULL,
	"chat_id" text NOT NULL,
	"title" text NOT NULL,
	"type" text NOT NULL,
	"usable" boolean DEFAULT true NOT NULL,
	"problem" text,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "destinations_account_id_chat_id_pk" PRIMARY KEY("account_id","chat_id")
);
--> statement-breakpoint
CREATE TABLE "queue_slots" (
	"account_id" bigint PRIMARY KEY NOT NULL,
	"time_zone" text NOT NULL,
	"minutes" integer[] NOT NULL
);
--> statement-breakpoint
CREATE TABLE "audit_log" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "audit_log_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"at" timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
	"action" text NOT NULL,
	"actor_id" uuid,
	"partner_id" uuid,
	"subject" text NOT NULL,
	"details" jsonb DEFAULT '{}'::jsonb NOT NULL
);
--> statement-breakpoint
CREATE TABLE "connect_attempts" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"trace_code" text NOT NULL,
	"state_id" uuid NOT NULL,
	"owner_id" uuid NOT NULL,
	"platform" text NOT NULL,
	"redirect_uri" text NOT NULL,
	"account" text,
	"code_hash" "bytea" NOT NULL,
	"nonce_hash" "bytea",
	"flow_sealed" "bytea",
	"failure" text,
	"language" text DEFAULT 'en' NOT NULL,
	"account_id" bigint,
	"expires_at" timestamp with time zone NOT NULL,
	"consumed_at" timestamp with time zone,
	"completed_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "connect_attempts_trace_code_unique" UNIQUE("trace_code"),
	CONSTRAINT "connect_attempts_code_hash_unique" UNIQUE("code_hash")
);
--> statement-breakpoint
CREATE TABLE "connect_traces" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"code" text NOT NULL,
	"owner_id" uuid NOT NULL,
	"partner_id" uuid,
	"state_id" uuid NOT NULL,
	"platform" text NOT NULL,
	"return_origin" text NOT NULL,
	"steps" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"outcome" text,
	"account_id" bigint,
	"started_at" timestamp with time zone DEFAULT now() NOT NULL,
	"ended_at" timestamp with time zone,
	CONSTRAINT "connect_traces_code_unique" UNIQUE("code")
);
--> statement-breakpoint
CREATE TABLE "event_readers" (
	"name" text PRIMARY KEY NOT NULL,
	"xid" "xid8" DEFAULT '0' NOT NULL,
	"id" bigint DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "events" (
	"xid" "xid8" DEFAULT pg_current_xact_id() NOT NULL,
	"id" bigint GENERATED ALWAYS AS IDENTITY (sequence name "events_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"owner_id" uuid NOT NULL,
	"partner_id" uuid,
	"type" text NOT NULL,
	"data" json NOT NULL,
	"created_at" timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
	CONSTRAINT "events_xid_id_pk" PRIMARY KEY("xid","id")
);
--> statement-breakpoint
CREATE TABLE "webhook_attempts" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "webhook_attempts_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"delivery_id" uuid NOT NULL,
	"url" text NOT NULL,
	"headers" json NOT NULL,
	"status" integer,
	"answer" text,
	"error" text,
	"duration_ms" integer NOT NULL,
	"started_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "webhook_deliveries" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"endpoint_id" bigint NOT NULL,
	"event_xid" "xid8",
	"event_id" bigint,
	"state" text DEFAULT 'PENDING' NOT NULL,
	"failures" integer DEFAULT 0 NOT NULL,
	"due_at" timestamp with time zone DEFAULT now(),
	"claim_worker" uuid,
	"claim_until" timestamp with time zone,
	"claim_fence" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
	"ended_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "webhook_earlier_secrets" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "webhook_earlier_secrets_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"endpoint_id" bigint NOT NULL,
	"secret_sealed" "bytea" NOT NULL,
	"expires_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "webhook_endpoints" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "webhook_endpoints_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"owner_id" uuid,
	"partner_id" uuid,
	"url" text NOT NULL,
	"events" text[] NOT NULL,
	"description" text,
	"client_id" text,
	"secret_sealed" "bytea" NOT NULL,
	"disabled_at" timestamp with time zone,
	"disabled_reason" text,
	"failing_since" timestamp with time zone,
	"allowance" integer DEFAULT 2 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "webhook_endpoints_have_one_owner" CHECK (num_nonnulls("webhook_endpoints"."owner_id", "webhook_endpoints"."partner_id") = 1)
);
--> statement-breakpoint
CREATE TABLE "authenticators" (
	"owner_id" uuid PRIMARY KEY NOT NULL,
	"secret_sealed" "bytea" NOT NULL,
	"last_step" bigint NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "passkeys" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"owner_id" uuid NOT NULL,
	"name" text NOT NULL,
	"credential_id" text NOT NULL,
	"public_key" "bytea" NOT NULL,
	"counter" bigint NOT NULL,
	"transports" text[] DEFAULT '{}' NOT NULL,
	"backup_eligible" boolean NOT NULL,
	"backed_up" boolean NOT NULL,
	"needs_password" boolean DEFAULT false NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"used_at" timestamp with time zone,
	CONSTRAINT "passkeys_credential_id_unique" UNIQUE("credential_id")
);
--> statement-breakpoint
CREATE TABLE "recovery_codes" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "recovery_codes_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"owner_id" uuid NOT NULL,
	"code_hash" "bytea" NOT NULL
);
--> statement-breakpoint
CREATE TABLE "sign_in_attempts" (
	"key" "bytea" PRIMARY KEY NOT NULL,
	"failures" integer NOT NULL,
	"last_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "used_tickets" (
	"id" uuid PRIMARY KEY NOT NULL,
	"expires_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "mail_tokens" (
	"token_hash" "bytea" PRIMARY KEY NOT NULL,
	"owner_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"email" text NOT NULL,
	"expires_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "mails" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"owner_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"key" text NOT NULL,
	"facts" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"state" text DEFAULT 'WAITING' NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"subject" text,
	"failure" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"ended_at" timestamp with time zone,
	CONSTRAINT "mails_key_unique" UNIQUE("key")
);
--> statement-breakpoint
CREATE TABLE "media" (
	"id" uuid PRIMARY KEY NOT NULL,
	"owner_id" uuid NOT NULL,
	"key" text NOT NULL,
	"filename" text NOT NULL,
	"content_type" text NOT NULL,
	"size_bytes" bigint NOT NULL,
	"digest" "bytea" NOT NULL,
	"width" integer,
	"height" integer,
	"duration_seconds" double precision,
	"details" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"alt_text" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "media_key_unique" UNIQUE("key")
);
--> statement-breakpoint
CREATE TABLE "media_conversions" (
	"id" uuid PRIMARY KEY NOT NULL,
	"media_id" uuid NOT NULL,
	"recipe" text NOT NULL,
	"content_type" text NOT NULL,
	"size_bytes" bigint NOT NULL,
	"width" bigint NOT NULL,
	"height" bigint NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "media_imports" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "media_imports_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"owner_id" uuid NOT NULL,
	"source_url" text NOT NULL,
	"filename_hint" text,
	"state" text DEFAULT 'QUEUED' NOT NULL,
	"bytes_downloaded" bigint DEFAULT 0 NOT NULL,
	"total_bytes" bigint,
	"validator" text,
	"detected_mime" text,
	"key" text,
	"error_code" text,
	"error_message" text,
	"attempts" integer DEFAULT 0 NOT NULL,
	"when_done" jsonb,
	"due_at" timestamp with time zone DEFAULT now() NOT NULL,
	"claim_worker" uuid,
	"claim_until" timestamp with time zone,
	"claim_fence" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "uploads" (
	"id" uuid PRIMARY KEY NOT NULL,
	"owner_id" uuid NOT NULL,
	"key" text NOT NULL,
	"filename" text NOT NULL,
	"size_bytes" bigint NOT NULL,
	"state" text DEFAULT 'GRANTED' NOT NULL,
	"reason" text,
	"expires_at" timestamp with time zone NOT NULL,
	CONSTRAINT "uploads_key_unique" UNIQUE("key")
);
--> statement-breakpoint
CREATE TABLE "authorization_codes" (
	"code_hash" "bytea" PRIMARY KEY NOT NULL,
	"grant_id" uuid NOT NULL,
	"redirect_uri" text NOT NULL,
	"challenge" text,
	"expires_at" timestamp with time zone NOT NULL,
	"used_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "grants" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"kind" text NOT NULL,
	"client_id" text,
	"user_id" uuid,
	"scopes" text[] NOT NULL,
	"name" text,
	"revoked_at" timestamp with time zone,
	"expires_at" timestamp with time zone,
	"last_used_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "refresh_tokens" (
	"token_hash" "bytea" PRIMARY KEY NOT NULL,
	"grant_id" uuid NOT NULL,
	"spent_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
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
CREATE TABLE "signing_keys" (
	"kid" text PRIMARY KEY NOT NULL,
	"public_jwk" jsonb NOT NULL,
	"private_jwk_sealed" "bytea" NOT NULL,
	"tokens_until" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
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
CREATE TABLE "partner_calls" (
	"partner_id" uuid NOT NULL,
	"month" date NOT NULL,
	"calls" bigint NOT NULL,
	CONSTRAINT "partner_calls_partner_id_month_pk" PRIMARY KEY("partner_id","month")
);
--> statement-breakpoint
CREATE TABLE "application_secrets" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "application_secrets_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"client_id" text NOT NULL,
	"secret_hash" "bytea" NOT NULL,
	"revoked_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "application_secrets_secret_hash_unique" UNIQUE("secret_hash")
);
--> statement-breakpoint
CREATE TABLE "applications" (
	"client_id" text PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"grant" text NOT NULL,
	"owner_id" uuid,
	"redirect_uris" text[] DEFAULT '{}' NOT NULL,
	"is_public" boolean DEFAULT false NOT NULL,
	"suspended_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "partner_members" (
	"partner_id" uuid NOT NULL,
	"user_id" uuid NOT NULL,
	"role" text DEFAULT 'owner' NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "partner_members_partner_id_user_id_pk" PRIMARY KEY("partner_id","user_id")
);
--> statement-breakpoint
CREATE TABLE "partners" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"client_id" text NOT NULL,
	"name" text NOT NULL,
	"interstitial" boolean DEFAULT false NOT NULL,
	"hold" boolean DEFAULT false NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "partners_client_id_unique" UNIQUE("client_id")
);
--> statement-breakpoint
CREATE TABLE "users" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"email" text,
	"name" text NOT NULL,
	"role" text DEFAULT 'user' NOT NULL,
	"password_hash" text,
	"partner_id" uuid,
	"external_user_id" text,
	"email_confirmed_at" timestamp with time zone,
	"session_epoch" integer DEFAULT 0 NOT NULL,
	"muted_mails" text[] DEFAULT '{}' NOT NULL,
	"quiet_hours" jsonb,
	"suspended_at" timestamp with time zone,
	"deleting_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "users_are_people_or_connect_users" CHECK (("users"."partner_id" is null) = ("users"."external_user_id" is null))
);
--> statement-breakpoint
CREATE TABLE "forwarders" (
	"kind" text PRIMARY KEY NOT NULL,
	"address" text NOT NULL,
	"header" text NOT NULL,
	"seen_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "network_health" (
	"platform" text PRIMARY KEY NOT NULL,
	"consecutive_failures" integer NOT NULL,
	"closures" integer DEFAULT 0 NOT NULL,
	"closed_until" timestamp with time zone,
	"allowance" integer
);
--> statement-breakpoint
CREATE TABLE "network_quota" (
	"platform" text NOT NULL,
	"day" text NOT NULL,
	"bucket" text NOT NULL,
	"reserved_for" text NOT NULL,
	"units" integer NOT NULL,
	CONSTRAINT "network_quota_platform_day_bucket_reserved_for_pk" PRIMARY KEY("platform","day","bucket","reserved_for")
);
--> statement-breakpoint
CREATE TABLE "publish_attempts" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "publish_attempts_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"publication_id" bigint NOT NULL,
	"post_id" bigint NOT NULL,
	"outcome" text NOT NULL,
	"message" text NOT NULL,
	"answer" jsonb,
	"started_at" timestamp with time zone NOT NULL,
	"ended_at" timestamp with time zone NOT NULL,
	"times" integer DEFAULT 1 NOT NULL,
	"next_attempt_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "publish_steps" (
	"post_id" bigint NOT NULL,
	"name" text NOT NULL,
	"state" text NOT NULL,
	"result" jsonb,
	"irreversible" boolean DEFAULT true NOT NULL,
	"worker_id" uuid NOT NULL,
	"started_at" timestamp with time zone DEFAULT now() NOT NULL,
	"sent_at" timestamp with time zone,
	"finished_at" timestamp with time zone,
	"lookalike_key" text,
	"listed_before" text[],
	CONSTRAINT "publish_steps_post_id_name_pk" PRIMARY KEY("post_id","name")
);
--> statement-breakpoint
CREATE TABLE "publishing_pause" (
	"id" integer PRIMARY KEY DEFAULT 1 NOT NULL,
	"paused_at" timestamp with time zone DEFAULT now() NOT NULL,
	"reason" text
);
--> statement-breakpoint
CREATE TABLE "workers" (
	"id" uuid PRIMARY KEY NOT NULL,
	"pool_id" text,
	"lock_key" integer GENERATED ALWAYS AS IDENTITY (sequence name "workers_lock_key_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"started_at" timestamp with time zone DEFAULT now() NOT NULL,
	"heartbeat_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "workers_lock_key_unique" UNIQUE("lock_key")
);
--> statement-breakpoint
CREATE TABLE "retired_keys" (
	"purpose" text NOT NULL,
	"key_id" "bytea" NOT NULL,
	"secret_sealed" "bytea" NOT NULL,
	"retired_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "retired_keys_purpose_key_id_pk" PRIMARY KEY("purpose","key_id")
);
--> statement-breakpoint
CREATE TABLE "feedback" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "feedback_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"schedule_id" bigint NOT NULL,
	"link_id" bigint,
	"name" text NOT NULL,
	"verdict" text,
	"text" text NOT NULL,
	"content_digest" "bytea" NOT NULL,
	"answer" text,
	"answered_at" timestamp with time zone,
	"closed_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "review_links" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "review_links_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"schedule_id" bigint NOT NULL,
	"token_hash" "bytea" NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "review_links_token_hash_unique" UNIQUE("token_hash")
);
--> statement-breakpoint
CREATE TABLE "attachment_imports" (
	"post_id" bigint NOT NULL,
	"position" integer NOT NULL,
	"source_url" text NOT NULL,
	"import_id" bigint NOT NULL,
	CONSTRAINT "attachment_imports_post_id_position_pk" PRIMARY KEY("post_id","position")
);
--> statement-breakpoint
CREATE TABLE "idempotency_keys" (
	"owner_id" uuid NOT NULL,
	"route" text NOT NULL,
	"key" text NOT NULL,
	"body_hash" "bytea" NOT NULL,
	"status" integer DEFAULT 201 NOT NULL,
	"answer" json NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "idempotency_keys_owner_id_route_key_pk" PRIMARY KEY("owner_id","route","key")
);
--> statement-breakpoint
CREATE TABLE "posts" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "posts_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"publication_id" bigint NOT NULL,
	"position" integer NOT NULL,
	"content" text NOT NULL,
	"attachment_paths" text[] NOT NULL,
	"chat_id" text,
	"thumbnail_path" text,
	"status" text DEFAULT 'PENDING' NOT NULL,
	"network_post_id" text,
	"network_place" text,
	"permalink" text,
	"published_at" timestamp with time zone,
	"error" text
);
--> statement-breakpoint
CREATE TABLE "publications" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "publications_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"schedule_id" bigint NOT NULL,
	"account_id" bigint NOT NULL,
	"position" integer NOT NULL,
	"settings" jsonb NOT NULL,
	"status" text DEFAULT 'PENDING' NOT NULL,
	"claim_worker" uuid,
	"claim_until" timestamp with time zone,
	"claim_fence" integer DEFAULT 0 NOT NULL,
	"due_at" timestamp with time zone,
	"claims" integer DEFAULT 0 NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"retried_at" timestamp with time zone,
	"send_again" boolean DEFAULT false NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "schedules" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "schedules_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"owner_id" uuid NOT NULL,
	"status" text NOT NULL,
	"scheduled_time" timestamp with time zone,
	"changes_requested" boolean DEFAULT false NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "sessions" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"user_id" uuid NOT NULL,
	"epoch" integer NOT NULL,
	"user_agent" text,
	"address" text,
	"authenticated_at" timestamp with time zone DEFAULT now() NOT NULL,
	"last_used_at" timestamp with time zone DEFAULT now() NOT NULL,
	"revoked_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "accounts" ADD CONSTRAINT "accounts_owner_id_users_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "destinations" ADD CONSTRAINT "destinations_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "queue_slots" ADD CONSTRAINT "queue_slots_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "connect_attempts" ADD CONSTRAINT "connect_attempts_owner_id_users_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "connect_attempts" ADD CONSTRAINT "connect_attempts_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "connect_traces" ADD CONSTRAINT "connect_traces_owner_id_users_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "connect_traces" ADD CONSTRAINT "connect_traces_partner_id_partners_id_fk" FOREIGN KEY ("partner_id") REFERENCES "public"."partners"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "connect_traces" ADD CONSTRAINT "connect_traces_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "events" ADD CONSTRAINT "events_owner_id_users_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_attempts" ADD CONSTRAINT "webhook_attempts_delivery_id_webhook_deliveries_id_fk" FOREIGN KEY ("delivery_id") REFERENCES "public"."webhook_deliveries"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_deliveries" ADD CONSTRAINT "webhook_deliveries_endpoint_id_webhook_endpoints_id_fk" FOREIGN KEY ("endpoint_id") REFERENCES "public"."webhook_endpoints"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_deliveries" ADD CONSTRAINT "webhook_deliveries_event_xid_event_id_events_xid_id_fk" FOREIGN KEY ("event_xid","event_id") REFERENCES "public"."events"("xid","id") ON DELETE cascade ON UPDATE cascade;--> statement-breakpoint
ALTER TABLE "webhook_earlier_secrets" ADD CONSTRAINT "webhook_earlier_secrets_endpoint_id_webhook_endpoints_id_fk" FOREIGN KEY ("endpoint_id") REFERENCES "public"."webhook_endpoints"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_endpoints" ADD CONSTRAINT "webhook_endpoints_owner_id_users_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_endpoints" ADD CONSTRAINT "webhook_endpoints_partner_id_partners_id_fk" FOREIGN KEY ("partner_id") REFERENCES "public"."partners"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "authenticators" ADD CONSTRAINT "authenticators_owner_id_users_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "passkeys" ADD CONSTRAINT "passkeys_owner_id_users_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "recovery_codes" ADD CONSTRAINT "recovery_codes_owner_id_users_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mail_tokens" ADD CONSTRAINT "mail_tokens_owner_id_users_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mails" ADD CONSTRAINT "mails_owner_id_users_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "media" ADD CONSTRAINT "media_owner_id_users_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "media_imports" ADD CONSTRAINT "media_imports_owner_id_users_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "uploads" ADD CONSTRAINT "uploads_owner_id_users_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "authorization_codes" ADD CONSTRAINT "authorization_codes_grant_id_grants_id_fk" FOREIGN KEY ("grant_id") REFERENCES "public"."grants"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "grants" ADD CONSTRAINT "grants_client_id_applications_client_id_fk" FOREIGN KEY ("client_id") REFERENCES "public"."applications"("client_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "grants" ADD CONSTRAINT "grants_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "refresh_tokens" ADD CONSTRAINT "refresh_tokens_grant_id_grants_id_fk" FOREIGN KEY ("grant_id") REFERENCES "public"."grants"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "request_log" ADD CONSTRAINT "request_log_owner_id_users_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "request_log" ADD CONSTRAINT "request_log_partner_id_partners_id_fk" FOREIGN KEY ("partner_id") REFERENCES "public"."partners"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "partner_branding" ADD CONSTRAINT "partner_branding_partner_id_partners_id_fk" FOREIGN KEY ("partner_id") REFERENCES "public"."partners"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "partner_calls" ADD CONSTRAINT "partner_calls_partner_id_partners_id_fk" FOREIGN KEY ("partner_id") REFERENCES "public"."partners"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "application_secrets" ADD CONSTRAINT "application_secrets_client_id_applications_client_id_fk" FOREIGN KEY ("client_id") REFERENCES "public"."applications"("client_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "applications" ADD CONSTRAINT "applications_owner_id_users_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "partner_members" ADD CONSTRAINT "partner_members_partner_id_partners_id_fk" FOREIGN KEY ("partner_id") REFERENCES "public"."partners"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "partner_members" ADD CONSTRAINT "partner_members_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "partners" ADD CONSTRAINT "partners_client_id_applications_client_id_fk" FOREIGN KEY ("client_id") REFERENCES "public"."applications"("client_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "users" ADD CONSTRAINT "users_partner_id_partners_id_fk" FOREIGN KEY ("partner_id") REFERENCES "public"."partners"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "publish_attempts" ADD CONSTRAINT "publish_attempts_publication_id_publications_id_fk" FOREIGN KEY ("publication_id") REFERENCES "public"."publications"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "publish_steps" ADD CONSTRAINT "publish_steps_post_id_posts_id_fk" FOREIGN KEY ("post_id") REFERENCES "public"."posts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "feedback" ADD CONSTRAINT "feedback_schedule_id_schedules_id_fk" FOREIGN KEY ("schedule_id") REFERENCES "public"."schedules"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "feedback" ADD CONSTRAINT "feedback_link_id_review_links_id_fk" FOREIGN KEY ("link_id") REFERENCES "public"."review_links"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "review_links" ADD CONSTRAINT "review_links_schedule_id_schedules_id_fk" FOREIGN KEY ("schedule_id") REFERENCES "public"."schedules"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "attachment_imports" ADD CONSTRAINT "attachment_imports_post_id_posts_id_fk" FOREIGN KEY ("post_id") REFERENCES "public"."posts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "attachment_imports" ADD CONSTRAINT "attachment_imports_import_id_media_imports_id_fk" FOREIGN KEY ("import_id") REFERENCES "public"."media_imports"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "posts" ADD CONSTRAINT "posts_publication_id_publications_id_fk" FOREIGN KEY ("publication_id") REFERENCES "public"."publications"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "publications" ADD CONSTRAINT "publications_schedule_id_schedules_id_fk" FOREIGN KEY ("schedule_id") REFERENCES "public"."schedules"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "publications" ADD CONSTRAINT "publications_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "schedules" ADD CONSTRAINT "schedules_owner_id_users_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "accounts_live" ON "accounts" USING btree ("platform","network_account_id") WHERE "accounts"."disconnected_at" is null;--> statement-breakpoint
CREATE INDEX "accounts_of_owner" ON "accounts" USING btree ("owner_id");--> statement-breakpoint
CREATE INDEX "accounts_by_callback" ON "accounts" USING btree ("platform","callback_account_id") WHERE "accounts"."callback_account_id" is not null;--> statement-breakpoint
CREATE INDEX "audit_log_of_partner" ON "audit_log" USING btree ("partner_id","id");--> statement-breakpoint
CREATE INDEX "audit_log_of_actor" ON "audit_log" USING btree ("actor_id","id");--> statement-breakpoint
CREATE INDEX "audit_log_of_subject" ON "audit_log" USING btree ("subject","id");--> statement-breakpoint
CREATE UNIQUE INDEX "connect_attempts_complete_once" ON "connect_attempts" USING btree ("state_id") WHERE "connect_attempts"."completed_at" is not null;--> statement-breakpoint
CREATE INDEX "connect_attempts_of_state" ON "connect_attempts" USING btree ("state_id");--> statement-breakpoint
CREATE INDEX "connect_traces_of_partner" ON "connect_traces" USING btree ("partner_id","started_at","id");--> statement-breakpoint
CREATE INDEX "connect_traces_of_owner" ON "connect_traces" USING btree ("owner_id");--> statement-breakpoint
CREATE INDEX "connect_traces_of_state" ON "connect_traces" USING btree ("state_id");--> statement-breakpoint
CREATE INDEX "connect_traces_by_age" ON "connect_traces" USING btree ("started_at");--> statement-breakpoint
CREATE INDEX "events_of_owner" ON "events" USING btree ("owner_id","xid","id");--> statement-breakpoint
CREATE INDEX "events_of_partner" ON "events" USING btree ("partner_id","xid","id") WHERE "events"."partner_id" is not null;--> statement-breakpoint
CREATE INDEX "events_by_age" ON "events" USING brin ("created_at");--> statement-breakpoint
CREATE INDEX "webhook_attempts_of_delivery" ON "webhook_attempts" USING btree ("delivery_id","id");--> statement-breakpoint
CREATE UNIQUE INDEX "webhook_deliveries_once" ON "webhook_deliveries" USING btree ("event_xid","event_id","endpoint_id");--> statement-breakpoint
CREATE INDEX "webhook_deliveries_of_endpoint" ON "webhook_deliveries" USING btree ("endpoint_id","created_at","id");--> statement-breakpoint
CREATE INDEX "webhook_deliveries_due" ON "webhook_deliveries" USING btree ("due_at","endpoint_id") WHERE "webhook_deliveries"."due_at" is not null;--> statement-breakpoint
CREATE INDEX "webhook_deliveries_due_of_endpoint" ON "webhook_deliveries" USING btree ("endpoint_id","due_at") WHERE "webhook_deliveries"."due_at" is not null;--> statement-breakpoint
CREATE INDEX "webhook_deliveries_claimed" ON "webhook_deliveries" USING btree ("claim_worker") WHERE "webhook_deliveries"."claim_worker" is not null;--> statement-breakpoint
CREATE INDEX "webhook_tests_by_age" ON "webhook_deliveries" USING btree ("created_at") WHERE "webhook_deliveries"."event_id" is null;--> statement-breakpoint
CREATE INDEX "webhook_earlier_secrets_of_endpoint" ON "webhook_earlier_secrets" USING btree ("endpoint_id","expires_at");--> statement-breakpoint
CREATE INDEX "webhook_endpoints_of_owner" ON "webhook_endpoints" USING btree ("owner_id","id");--> statement-breakpoint
CREATE INDEX "webhook_endpoints_of_partner" ON "webhook_endpoints" USING btree ("partner_id","id");--> statement-breakpoint
CREATE INDEX "passkeys_of_owner" ON "passkeys" USING btree ("owner_id");--> statement-breakpoint
CREATE INDEX "recovery_codes_of_owner" ON "recovery_codes" USING btree ("owner_id");--> statement-breakpoint
CREATE INDEX "sign_in_attempts_by_age" ON "sign_in_attempts" USING btree ("last_at");--> statement-breakpoint
CREATE INDEX "used_tickets_by_end" ON "used_tickets" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "mail_tokens_of_owner" ON "mail_tokens" USING btree ("owner_id");--> statement-breakpoint
CREATE INDEX "mail_tokens_by_end" ON "mail_tokens" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "mails_of_owner" ON "mails" USING btree ("owner_id","created_at");--> statement-breakpoint
CREATE INDEX "mails_by_age" ON "mails" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "media_of_owner" ON "media" USING btree ("owner_id","created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "media_conversions_once" ON "media_conversions" USING btree ("media_id","recipe");--> statement-breakpoint
CREATE INDEX "media_imports_of_owner" ON "media_imports" USING btree ("owner_id");--> statement-breakpoint
CREATE INDEX "media_imports_unfinished" ON "media_imports" USING btree ("due_at") WHERE "media_imports"."state" not in ('READY', 'FAILED_PERMANENT');--> statement-breakpoint
CREATE INDEX "media_imports_claimed" ON "media_imports" USING btree ("claim_worker") WHERE "media_imports"."claim_worker" is not null;--> statement-breakpoint
CREATE INDEX "uploads_of_owner" ON "uploads" USING btree ("owner_id");--> statement-breakpoint
CREATE INDEX "uploads_by_end" ON "uploads" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "authorization_codes_of_grant" ON "authorization_codes" USING btree ("grant_id");--> statement-breakpoint
CREATE INDEX "grants_that_expire" ON "grants" USING btree ("expires_at") WHERE "grants"."expires_at" is not null;--> statement-breakpoint
CREATE INDEX "grants_of_user" ON "grants" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "grants_of_client" ON "grants" USING btree ("client_id");--> statement-breakpoint
CREATE INDEX "refresh_tokens_of_grant" ON "refresh_tokens" USING btree ("grant_id");--> statement-breakpoint
CREATE INDEX "request_log_of_owner" ON "request_log" USING btree ("owner_id","id");--> statement-breakpoint
CREATE INDEX "request_log_of_partner" ON "request_log" USING btree ("partner_id","id") WHERE "request_log"."partner_id" is not null;--> statement-breakpoint
CREATE INDEX "request_log_by_request" ON "request_log" USING btree ("request_id");--> statement-breakpoint
CREATE INDEX "request_log_by_age" ON "request_log" USING brin ("at");--> statement-breakpoint
CREATE INDEX "partner_branding_logo" ON "partner_branding" USING btree ("logo_digest") WHERE "partner_branding"."logo_digest" is not null;--> statement-breakpoint
CREATE INDEX "applications_of_owner" ON "applications" USING btree ("owner_id") WHERE "applications"."owner_id" is not null;--> statement-breakpoint
CREATE INDEX "partner_members_of_user" ON "partner_members" USING btree ("user_id");--> statement-breakpoint
CREATE UNIQUE INDEX "users_sign_in" ON "users" USING btree (lower("email")) WHERE "users"."partner_id" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "users_of_partner" ON "users" USING btree ("partner_id","external_user_id");--> statement-breakpoint
CREATE INDEX "publish_attempts_of_publication" ON "publish_attempts" USING btree ("publication_id","id");--> statement-breakpoint
CREATE INDEX "publish_steps_lookalikes" ON "publish_steps" USING btree ("lookalike_key") WHERE "publish_steps"."lookalike_key" is not null;--> statement-breakpoint
CREATE INDEX "feedback_of_schedule" ON "feedback" USING btree ("schedule_id","id");--> statement-breakpoint
CREATE INDEX "feedback_of_link" ON "feedback" USING btree ("link_id");--> statement-breakpoint
CREATE INDEX "review_links_of_schedule" ON "review_links" USING btree ("schedule_id","id");--> statement-breakpoint
CREATE INDEX "attachment_imports_of_import" ON "attachment_imports" USING btree ("import_id");--> statement-breakpoint
CREATE INDEX "idempotency_keys_created_at" ON "idempotency_keys" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "posts_of_publication" ON "posts" USING btree ("publication_id","position");--> statement-breakpoint
CREATE UNIQUE INDEX "posts_by_network_post" ON "posts" USING btree ("network_place","network_post_id") WHERE "posts"."network_place" is not null;--> statement-breakpoint
CREATE INDEX "posts_by_permalink" ON "posts" USING btree ("permalink") WHERE "posts"."permalink" is not null;--> statement-breakpoint
CREATE INDEX "posts_by_file" ON "posts" USING gin (file_hashes("attachment_paths", "thumbnail_path")) WHERE "posts"."attachment_paths" <> '{}' or "posts"."thumbnail_path" is not null;--> statement-breakpoint
CREATE INDEX "publications_of_schedule" ON "publications" USING btree ("schedule_id","position");--> statement-breakpoint
CREATE INDEX "publications_of_account" ON "publications" USING btree ("account_id","schedule_id");--> statement-breakpoint
CREATE INDEX "publications_unfinished" ON "publications" USING btree ("schedule_id") WHERE "publications"."status" in ('PENDING', 'IN_PROGRESS');--> statement-breakpoint
CREATE INDEX "publications_claimed" ON "publications" USING btree ("claim_worker") WHERE "publications"."claim_worker" is not null;--> statement-breakpoint
CREATE INDEX "publications_retried" ON "publications" USING btree ("retried_at") WHERE "publications"."retried_at" is not null;--> statement-breakpoint
CREATE INDEX "publications_due" ON "publications" USING btree ("due_at","account_id") WHERE "publications"."due_at" is not null;--> statement-breakpoint
CREATE INDEX "publications_due_of_account" ON "publications" USING btree ("account_id","due_at") WHERE "publications"."due_at" is not null;--> statement-breakpoint
CREATE INDEX "schedules_of_owner" ON "schedules" USING btree ("owner_id","id");--> statement-breakpoint
CREATE INDEX "schedules_by_status" ON "schedules" USING btree ("owner_id","status","id");--> statement-breakpoint
CREATE INDEX "schedules_by_time" ON "schedules" USING btree ("owner_id","scheduled_time");--> statement-breakpoint
CREATE INDEX "sessions_of_user" ON "sessions" USING btree ("user_id");--> statement-breakpoint

-- Notifies every process on the channel access_changed when the rights behind a token change (lib/db/access.ts).
CREATE FUNCTION "access_changed"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	PERFORM pg_notify('access_changed', to_jsonb(old) ->> tg_argv[0]);
	RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER "grants_changed" AFTER UPDATE OF "revoked_at", "scopes" ON "grants" FOR EACH ROW EXECUTE FUNCTION "access_changed"('id');--> statement-breakpoint
CREATE TRIGGER "grants_deleted" AFTER DELETE ON "grants" FOR EACH ROW WHEN (old."expires_at" IS NULL OR old."expires_at" > now() - interval '2 hours') EXECUTE FUNCTION "access_changed"('id');--> statement-breakpoint
CREATE TRIGGER "users_suspended" AFTER UPDATE OF "suspended_at" ON "users" FOR EACH ROW EXECUTE FUNCTION "access_changed"('id');--> statement-breakpoint
CREATE TRIGGER "users_deleting" AFTER UPDATE OF "deleting_at" ON "users" FOR EACH ROW EXECUTE FUNCTION "access_changed"('id');--> statement-breakpoint
CREATE TRIGGER "users_sessions_ended" AFTER UPDATE OF "session_epoch" ON "users" FOR EACH ROW EXECUTE FUNCTION "access_changed"('id');--> statement-breakpoint
CREATE TRIGGER "sessions_revoked" AFTER UPDATE OF "revoked_at" ON "sessions" FOR EACH ROW EXECUTE FUNCTION "access_changed"('id');--> statement-breakpoint
CREATE TRIGGER "applications_suspended" AFTER UPDATE OF "suspended_at" ON "applications" FOR EACH ROW EXECUTE FUNCTION "access_changed"('client_id');--> statement-breakpoint
-- Wakes the workers when publications are inserted that are due within two seconds.
CREATE FUNCTION "notify_publications_due"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF EXISTS (SELECT 1 FROM inserted WHERE due_at < clock_timestamp() + interval '2 seconds') THEN
		PERFORM pg_notify('publications_due', '');
	END IF;
	RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER "publications_inserted" AFTER INSERT ON "publications" REFERENCING NEW TABLE AS "inserted" FOR EACH STATEMENT EXECUTE FUNCTION "notify_publications_due"();--> statement-breakpoint
-- Makes the audit log append-only.
CREATE FUNCTION "reject_audit_log_change"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	RAISE EXCEPTION 'the audit log is append-only' USING ERRCODE = 'insufficient_privilege';
END $$;--> statement-breakpoint
CREATE TRIGGER "audit_log_no_update_or_delete" BEFORE UPDATE OR DELETE ON "audit_log" FOR EACH ROW EXECUTE FUNCTION "reject_audit_log_change"();--> statement-breakpoint
CREATE TRIGGER "audit_log_no_truncate" BEFORE TRUNCATE ON "audit_log" FOR EACH STATEMENT EXECUTE FUNCTION "reject_audit_log_change"();--> statement-breakpoint
-- Counts the publications that an owner has on the UTC day of an instant: those planned for it, except of drafts, and those
-- retried on it. From `lock_from` publications on, it takes the lock and counts again. The function is VOLATILE, so each count
-- has a new snapshot and sees what the previous holder of the lock committed, also within the one statement of a create.
CREATE FUNCTION "publications_of_day"("owner" uuid, "instant" timestamptz, "lock_text" text, "lock_from" integer) RETURNS integer LANGUAGE plpgsql VOLATILE AS $$
DECLARE
	first timestamptz := date_trunc('day', instant, 'UTC');
	used integer;
BEGIN
	FOR turn IN 1..2 LOOP
		SELECT (
			SELECT count(*) FROM schedules s JOIN publications p ON p.schedule_id = s.id
			WHERE s.owner_id = owner AND s.status <> 'DRAFT' AND s.scheduled_time >= first AND s.scheduled_time < first + interval '1 day'
		) + (
			SELECT count(*) FROM publications p JOIN schedules s ON s.id = p.schedule_id
			WHERE s.owner_id = owner AND p.retried_at >= first AND p.retried_at < first + interval '1 day'
				AND NOT (s.scheduled_time >= first AND s.scheduled_time < first + interval '1 day')
		) INTO used;
		EXIT WHEN turn = 2 OR lock_from IS NULL OR used < lock_from;
		PERFORM pg_advisory_xact_lock(hashtextextended(lock_text, 0));
	END LOOP;
	RETURN used;
END $$;
