CREATE INDEX "publications_retried" ON "publications" USING btree ("retried_at") WHERE "publications"."retried_at" is not null;--> statement-breakpoint
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
