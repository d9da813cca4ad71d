-- NFKD in time linear in the text. PostgreSQL sorts the marks of a letter in quadratic time, so U+034F goes after every 30 characters in a row
-- that may be marks, as in stream-safe text (Unicode Standard Annex #15, section 13). A search ignores U+034F, so the indexes stay valid.
CREATE FUNCTION "decomposed"("texts" text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN normalize(regexp_replace("texts", '([\u0300-\u036f\u0483-\u1dff\u20d0-\u20ff\u2cef-\u2dff\u302a-\u309a\ua66f-\ua6f1\ua802-\uabed\ufb1e\ufe20-\ufe2f\uff9e\uff9f\U000101fd-\U0001e94a]{30})', E'\\1\u034f', 'g'), NFKD);--> statement-breakpoint
CREATE OR REPLACE FUNCTION "text_grams"("texts" text, "owner" text) RETURNS tsvector LANGUAGE sql IMMUTABLE PARALLEL SAFE COST 1000
RETURN CASE WHEN length("texts") > 20000 THEN array_to_tsvector(ARRAY[' long', ' ' || coalesce("owner", '')]) ELSE (
  SELECT array_to_tsvector(array_append(array_remove(string_to_array(regexp_replace(
    regexp_replace("folded", '(...)', E'\\1\n', 'g') || E'\n' ||
    regexp_replace(substr("folded", 2), '(...)', E'\\1\n', 'g') || E'\n' ||
    regexp_replace(substr("folded", 3), '(...)', E'\\1\n', 'g'), ' [^\n]*', '', 'g'), E'\n'), ''), ' ' || coalesce("owner", '')))
  FROM (SELECT translate(lower((CASE WHEN octet_length("texts") = length("texts") THEN "texts" ELSE
    regexp_replace("decomposed"("texts"), '[\u0300-\u036f\u0483-\u0489\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u064b-\u065f\u0670\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe00-\ufe0f\ufe20-\ufe2f]', '', 'g') END) COLLATE "C"), E'\t\n\r', '   ') AS "folded") AS "f") END;
