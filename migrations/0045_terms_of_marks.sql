-- A term of nothing but combining marks folds to nothing; its pattern is null then, which no text is like.
set local role toimik_owner;
create or replace function search_case_ids(term text, every_bureau boolean, most bigint default null) returns setof bigint
  language plpgsql stable security definer set search_path = public, pg_temp
  set enable_seqscan = off set enable_bitmapscan = on
  as $$
declare
  folded text := nullif(btrim(fold(term)), '');
  pattern text := '%' || replace(replace(replace(folded, '\', '\\'), '%', '\%'), '_', '\_') || '%';
  short boolean := length(pattern) < 5;
begin
  if pattern is null then
    return;
  end if;
  if short and every_bureau then
    perform set_config('enable_seqscan', 'on', true), set_config('enable_bitmapscan', 'off', true);
  end if;
  if every_bureau then
    return query execute 'select case_id from case_search where text like $1 limit $2' using pattern, most;
  elsif short then
    return query execute 'select case_id from case_search where tenant_id = $1 and text || '''' like $2 limit $3'
      using app_tenant(), pattern, most;
  else
    return query execute 'select case_id from case_search where tenant_id = $1 and text like $2 limit $3'
      using app_tenant(), pattern, most;
  end if;
end $$;
reset role;
