DROP INDEX "publications_of_account";--> statement-breakpoint
CREATE INDEX "schedules_by_status" ON "schedules" USING btree ("owner_id","status","id");--> statement-breakpoint
CREATE INDEX "schedules_by_time" ON "schedules" USING btree ("owner_id","scheduled_time");--> statement-breakpoint
CREATE INDEX "publications_of_account" ON "publications" USING btree ("account_id","schedule_id");--> statement-breakpoint
CREATE TRIGGER "users_deleting" AFTER UPDATE OF "deleting_at" ON "users" FOR EACH ROW EXECUTE FUNCTION "access_changed"('id');
