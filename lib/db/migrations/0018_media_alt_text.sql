ALTER TABLE "media" ADD COLUMN "alt_text" text;--> statement-breakpoint
-- Of the files that a post names: a key of an index must be short, and the address of a file to import need not be.
CREATE FUNCTION "file_hashes"("paths" text[], "thumbnail" text) RETURNS bigint[] LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN (SELECT array_agg(hashtextextended("path", 0)) FROM unnest(array_append("paths", "thumbnail")) AS "path" WHERE "path" IS NOT NULL);--> statement-breakpoint
CREATE INDEX "posts_by_file" ON "posts" USING gin (file_hashes("attachment_paths", "thumbnail_path")) WHERE "posts"."attachment_paths" <> '{}' or "posts"."thumbnail_path" is not null;