CREATE TABLE "deleted_publications" (
	"owner_id" uuid NOT NULL,
	"day" date NOT NULL,
	"count" integer NOT NULL,
	CONSTRAINT "deleted_publications_owner_id_day_pk" PRIMARY KEY("owner_id","day")
);
--> statement-breakpoint
ALTER TABLE "deleted_publications" ADD CONSTRAINT "deleted_publications_owner_id_users_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
-- The first post of a publication stands for it. Only today's count: nothing reads other days, and one row cannot deadlock.
CREATE FUNCTION "count_deleted_publication"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO deleted_publications (owner_id, day, count)
	SELECT u.id, (now() AT TIME ZONE 'UTC')::date, 1 FROM users u WHERE u.id = OLD.owner_id AND u.deleting_at IS NULL
	ON CONFLICT (owner_id, day) DO UPDATE SET count = deleted_publications.count + 1;
	RETURN OLD;
END $$;--> statement-breakpoint
CREATE TRIGGER "posts_deleted_publications" BEFORE DELETE ON "posts" FOR EACH ROW
	WHEN (OLD.position = 0 AND OLD.status IN ('PUBLISHED', 'UNKNOWN') AND coalesce(OLD.published_at, now()) >= date_trunc('day', now(), 'UTC'))
	EXECUTE FUNCTION "count_deleted_publication"();--> statement-breakpoint
CREATE OR REPLACE FUNCTION "publications_of_day"("owner" uuid, "instant" timestamptz, "lock_text" text, "lock_from" integer) RETURNS integer LANGUAGE plpgsql VOLATILE AS $$
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
		) + coalesce((
			SELECT d.count FROM deleted_publications d WHERE d.owner_id = owner AND d.day = (first AT TIME ZONE 'UTC')::date
		), 0) INTO used;
		EXIT WHEN turn = 2 OR lock_from IS NULL OR used < lock_from;
		PERFORM pg_advisory_xact_lock(hashtextextended(lock_text, 0));
	END LOOP;
	RETURN used;
END $$;
