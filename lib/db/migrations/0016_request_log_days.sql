-- The request log gets one partition for each day in UTC (ADR 36). At the commit, there is a table with the same name, columns and rows as
-- before, so the previous release works. Carillon creates the partitions (lib/db/days.ts). If a day has none, its rows go to the default one.
DO $migration$
DECLARE
	last_id bigint;
	bound timestamptz := (SELECT (regexp_match(pg_get_constraintdef(oid), '''([^'']+)'''))[1] FROM pg_constraint
		WHERE conname = 'request_log_before_days' AND conrelid = 'request_log'::regclass);
	is_used boolean;
BEGIN
	LOCK TABLE request_log IN ACCESS EXCLUSIVE MODE;
	DROP FUNCTION IF EXISTS skip_request CASCADE; -- with its trigger
	is_used := EXISTS (SELECT FROM request_log);
	last_id := (SELECT coalesce(last_value, 0) FROM pg_sequences WHERE schemaname = 'public' AND sequencename = 'request_log_id_seq');
	-- Its sequence is dropped with the identity, which partitioned tables do not have before PostgreSQL 17.
	ALTER TABLE request_log ALTER COLUMN id DROP IDENTITY;
	ALTER TABLE request_log RENAME TO request_log_first;
	ALTER TABLE request_log_first DROP CONSTRAINT request_log_pkey;
	ALTER TABLE request_log_first ADD CONSTRAINT request_log_first_key PRIMARY KEY USING INDEX request_log_first_key;
	ALTER INDEX request_log_of_owner RENAME TO request_log_first_of_owner;
	ALTER INDEX request_log_of_partner RENAME TO request_log_first_of_partner;
	ALTER INDEX request_log_by_request RENAME TO request_log_first_by_request;
	ALTER INDEX request_log_by_age RENAME TO request_log_first_by_age;
	CREATE SEQUENCE request_log_id_seq;
	PERFORM setval('request_log_id_seq', greatest(last_id, 1), last_id > 0);
	CREATE TABLE request_log (
		id bigint NOT NULL DEFAULT nextval('request_log_id_seq'),
		at timestamp with time zone NOT NULL,
		request_id uuid NOT NULL,
		owner_id uuid,
		partner_id uuid,
		grant_id uuid NOT NULL,
		method text NOT NULL,
		path text NOT NULL,
		status integer NOT NULL,
		ms integer NOT NULL,
		PRIMARY KEY (id, at),
		CONSTRAINT request_log_owner_id_users_id_fk FOREIGN KEY (owner_id) REFERENCES users (id) ON DELETE CASCADE,
		CONSTRAINT request_log_partner_id_partners_id_fk FOREIGN KEY (partner_id) REFERENCES partners (id) ON DELETE CASCADE
	) PARTITION BY RANGE (at);
	ALTER SEQUENCE request_log_id_seq OWNED BY request_log.id;
	CREATE INDEX request_log_of_owner ON request_log USING btree (owner_id, id);
	CREATE INDEX request_log_of_partner ON request_log USING btree (partner_id, id) WHERE partner_id IS NOT NULL;
	CREATE INDEX request_log_by_request ON request_log USING btree (request_id);
	CREATE INDEX request_log_by_age ON request_log USING brin (at);
	IF is_used THEN
		EXECUTE format('ALTER TABLE request_log ATTACH PARTITION request_log_first FOR VALUES FROM (MINVALUE) TO (%L)', bound);
		ALTER TABLE request_log_first DROP CONSTRAINT request_log_before_days;
	ELSE
		DROP TABLE request_log_first;
	END IF;
	CREATE TABLE request_log_default PARTITION OF request_log DEFAULT;
END $migration$;--> statement-breakpoint
-- The previous release deletes old rows by ctid, which names a row in each partition. This keeps the rows that are not old. Deletions
-- that follow from the deletion of a user or partner have a depth of more than 1.
CREATE FUNCTION "keep_recent_requests"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	RETURN CASE WHEN pg_trigger_depth() > 1 THEN OLD END;
END $$;--> statement-breakpoint
CREATE TRIGGER "request_log_keep_recent" BEFORE DELETE ON "request_log" FOR EACH ROW
	WHEN (OLD.at > now() - interval '7 days') EXECUTE FUNCTION "keep_recent_requests"();
