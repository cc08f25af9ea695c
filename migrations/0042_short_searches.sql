-- A term of one or two letters has no trigram. Of one bureau's rows it is looked for by the bureau's part of the index alone
-- (`|| ''` keeps the term out of it), over all bureaus by a scan.
set local role toimik_owner;
create or replace function search_case_ids(term text, every_bureau boolean, most bigint default null) returns setof bigint
  language plpgsql stable security definer set search_path = public, pg_temp
  set enable_seqscan = off set enable_bitmapscan = on
  as $$
declare
  pattern text := '%' || replace(replace(replace(fold(term), '\', '\\'), '%', '\%'), '_', '\_') || '%';
  short boolean := length(pattern) < 5;
begin
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
