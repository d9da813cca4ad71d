CREATE FUNCTION "access_changed"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	PERFORM pg_notify('access_changed', to_jsonb(old) ->> tg_argv[0]);
	RETURN NULL;
END $$;--> statement-breakpoint
CREATE TRIGGER "grants_changed" AFTER UPDATE OF "revoked_at", "scopes" ON "grants" FOR EACH ROW EXECUTE FUNCTION "access_changed"('id');--> statement-breakpoint
CREATE TRIGGER "grants_deleted" AFTER DELETE ON "grants" FOR EACH ROW WHEN (old."expires_at" IS NULL OR old."expires_at" > now() - interval '2 hours') EXECUTE FUNCTION "access_changed"('id');--> statement-breakpoint
CREATE TRIGGER "users_suspended" AFTER UPDATE OF "suspended_at" ON "users" FOR EACH ROW EXECUTE FUNCTION "access_changed"('id');--> statement-breakpoint
CREATE TRIGGER "applications_suspended" AFTER UPDATE OF "suspended_at" ON "applications" FOR EACH ROW EXECUTE FUNCTION "access_changed"('client_id');
