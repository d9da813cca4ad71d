CREATE TABLE "feed_items" (
	"feed_id" bigint NOT NULL,
	"key" "bytea" NOT NULL,
	"schedule_id" bigint,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "feed_items_feed_id_key_pk" PRIMARY KEY("feed_id","key")
);
--> statement-breakpoint
CREATE TABLE "feeds" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "feeds_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"owner_id" uuid NOT NULL,
	"url" text NOT NULL,
	"title" text,
	"template" jsonb NOT NULL,
	"etag" text,
	"last_modified" text,
	"read_at" timestamp with time zone,
	"due_at" timestamp with time zone,
	"failures" integer DEFAULT 0 NOT NULL,
	"error" text,
	"posts" integer DEFAULT 0 NOT NULL,
	"epoch" integer NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "feed_items" ADD CONSTRAINT "feed_items_feed_id_feeds_id_fk" FOREIGN KEY ("feed_id") REFERENCES "public"."feeds"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "feeds" ADD CONSTRAINT "feeds_owner_id_users_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "feeds_of_owner" ON "feeds" USING btree ("owner_id","id");--> statement-breakpoint
CREATE INDEX "feeds_due" ON "feeds" USING btree ("due_at") WHERE "feeds"."due_at" is not null;