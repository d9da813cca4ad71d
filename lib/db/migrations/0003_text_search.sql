ALTER TABLE "posts" ADD COLUMN "owner_id" uuid;--> statement-breakpoint
-- What a search looks up in an index (ADR 33): every three characters of a text in a row, and shorter ones at the ends of words, without case
-- and accents, and its owner after a space. The marks are those of lib/schedules/search-text.ts. Very long texts, whose grams would not fit, have the entry " long".
CREATE FUNCTION "text_grams"("texts" text, "owner" text) RETURNS tsvector LANGUAGE sql IMMUTABLE PARALLEL SAFE COST 1000
RETURN CASE WHEN length("texts") > 20000 THEN array_to_tsvector(ARRAY[' long', ' ' || coalesce("owner", '')]) ELSE (
  SELECT array_to_tsvector(array_append(array_remove(string_to_array(regexp_replace(
    regexp_replace("folded", '(...)', E'\\1\n', 'g') || E'\n' ||
    regexp_replace(substr("folded", 2), '(...)', E'\\1\n', 'g') || E'\n' ||
    regexp_replace(substr("folded", 3), '(...)', E'\\1\n', 'g'), ' [^\n]*', '', 'g'), E'\n'), ''), ' ' || coalesce("owner", '')))
  FROM (SELECT translate(lower((CASE WHEN octet_length("texts") = length("texts") THEN "texts" ELSE
    regexp_replace(normalize("texts", NFKD), '[\u0300-\u036f\u0483-\u0489\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u064b-\u065f\u0670\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe00-\ufe0f\ufe20-\ufe2f]', '', 'g') END) COLLATE "C"), E'\t\n\r', '   ') AS "folded") AS "f") END;--> statement-breakpoint
-- The settings that contain texts, such as a title.
CREATE FUNCTION "setting_texts"("settings" jsonb) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN trim(coalesce("settings" ->> 'title', '') || ' ' || coalesce("settings" ->> 'topicTag', '') || ' ' ||
  coalesce("settings" ->> 'link', '') || ' ' || coalesce("settings" ->> 'altText', ''));
