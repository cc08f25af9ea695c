-- A key begins with a letter: it stands in addresses, where a part that begins with 0 names nothing.
set local role toimik_owner;
create or replace function error_key(kind text, code text, output text) returns text
  language sql immutable parallel safe
  as $$ select 'e' || left(md5(concat_ws(e'\x01', kind, coalesce(code, ''), error_words(output))), 15) $$;
update jobs set error_key = error_key(kind, error_code, output) where state = 'failed';
update error_groups set key = error_key(kind, code, words);
insert into error_groups (key, queue, kind, code, words, first_seen_at)
  select error_key, min(queue), min(kind), coalesce(min(error_code), ''), min(error_words(output)), min(coalesce(finished_at, created_at))
  from jobs where state = 'failed' group by 1
  on conflict (key) do nothing;
reset role;
