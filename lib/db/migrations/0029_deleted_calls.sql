CREATE TABLE "deleted_calls" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "deleted_calls_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"post_id" bigint NOT NULL,
	"lookalike_key" text NOT NULL,
	"post_hash" "bytea",
	"is_id_final" boolean DEFAULT false NOT NULL,
	"sent_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE INDEX "deleted_calls_lookalikes" ON "deleted_calls" USING btree ("lookalike_key");--> statement-breakpoint
CREATE INDEX "deleted_calls_posts" ON "deleted_calls" USING btree ("post_hash") WHERE "deleted_calls"."post_hash" is not null;--> statement-breakpoint
CREATE FUNCTION "network_post_hash"(place text, id text) RETURNS bytea LANGUAGE sql STABLE STRICT
	RETURN sha256(convert_to(place || ' ' || id, 'UTF8'));--> statement-breakpoint
-- However a post is deleted, also by a worker of the previous release: its calls are remembered in the same transaction.
CREATE FUNCTION "remember_deleted_calls"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO deleted_calls (post_id, lookalike_key, post_hash, is_id_final, sent_at)
	SELECT OLD.id, t.lookalike_key, CASE WHEN OLD.status = 'PUBLISHED' THEN network_post_hash(OLD.network_place, OLD.network_post_id) END,
		OLD.permalink IS NOT NULL, coalesce(t.sent_at, t.started_at)
	FROM publish_steps t WHERE t.post_id = OLD.id AND t.irreversible AND t.lookalike_key IS NOT NULL;
	RETURN OLD;
END $$;--> statement-breakpoint
CREATE TRIGGER "posts_deleted_calls" BEFORE DELETE ON "posts" FOR EACH ROW EXECUTE FUNCTION "remember_deleted_calls"();
