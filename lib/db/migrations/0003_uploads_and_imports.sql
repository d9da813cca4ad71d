CREATE TABLE "attachment_imports" (
	"post_id" bigint NOT NULL,
	"position" integer NOT NULL,
	"source_url" text NOT NULL,
	"import_id" bigint NOT NULL,
	CONSTRAINT "attachment_imports_post_id_position_pk" PRIMARY KEY("post_id","position")
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
	"lease_worker" uuid,
	"lease_until" timestamp with time zone,
	"fence" integer DEFAULT 0 NOT NULL,
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
ALTER TABLE "media" ADD COLUMN "details" jsonb DEFAULT '{}'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "attachment_imports" ADD CONSTRAINT "attachment_imports_post_id_posts_id_fk" FOREIGN KEY ("post_id") REFERENCES "public"."posts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "attachment_imports" ADD CONSTRAINT "attachment_imports_import_id_media_imports_id_fk" FOREIGN KEY ("import_id") REFERENCES "public"."media_imports"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "media_imports" ADD CONSTRAINT "media_imports_owner_id_users_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "uploads" ADD CONSTRAINT "uploads_owner_id_users_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "attachment_imports_of_import" ON "attachment_imports" USING btree ("import_id");--> statement-breakpoint
CREATE INDEX "media_imports_of_owner" ON "media_imports" USING btree ("owner_id");--> statement-breakpoint
CREATE INDEX "media_imports_unfinished" ON "media_imports" USING btree ("due_at") WHERE "media_imports"."state" not in ('READY', 'FAILED_PERMANENT');--> statement-breakpoint
CREATE INDEX "media_imports_leased" ON "media_imports" USING btree ("lease_worker") WHERE "media_imports"."lease_worker" is not null;--> statement-breakpoint
CREATE INDEX "uploads_of_owner" ON "uploads" USING btree ("owner_id");--> statement-breakpoint
CREATE INDEX "uploads_by_end" ON "uploads" USING btree ("expires_at");