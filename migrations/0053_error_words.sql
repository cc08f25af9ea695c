-- Alike errors differ in every figure, short ones too; only what looks like an HTTP status says something by itself.
set local role toimik_owner;
create or replace function error_words(output text) returns text
  language sql immutable parallel safe
  as $$ select left(btrim(regexp_replace(regexp_replace(regexp_replace(split_part(coalesce(output, ''), e'\n', 1),
      '[0-9a-fA-F]{8}-[0-9a-fA-F-]{27}', '#', 'g'),
      '"[^"]*"|„[^“”"]*[“”"]|«[^»]*»', '"…"', 'g'),
      '[A-Z]{2}[0-9]{2}[0-9 ]{8,}[0-9]|[0-9]+([/.,:-][0-9]+)+|(?![45][0-9]{2}\M)\m[0-9]+|[0-9]{4,}', '#', 'g')), 200) $$;
reset role;
