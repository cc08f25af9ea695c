-- The second wall around everything of a bureau, also where no query of ours asks for another's: a mistake must find nothing.
set local role toimik_owner;

-- Read at sign-in and about people alone, under its own role.
revoke select on user_roles from toimik_bureau, toimik_chamber;
revoke select (personal_code) on users from toimik_bureau, toimik_chamber;
revoke select on queue_minutes from toimik_bureau;

do $$
declare name text;
begin
  foreach name in array array['user_roles', 'queue_minutes', 'pauses', 'feature_flags', 'case_counters'] loop
    execute format('alter table %I enable row level security', name);
    execute format('alter table %I force row level security', name);
    execute format('create policy owner_all on %I to toimik_owner using (true) with check (true)', name);
  end loop;
end $$;

create policy auth_all on user_roles to toimik_auth using (true) with check (true);

create policy queue_all on queue_minutes to toimik_queue using (true) with check (true);
create policy chamber_read on queue_minutes for select to toimik_chamber using (true);

create policy queue_all on pauses to toimik_queue using (true) with check (true);
create policy chamber_all on pauses to toimik_chamber using (true) with check (true);
create policy bureau_reads on pauses for select to toimik_bureau
  using (tenant_id is null or tenant_id = nullif(current_setting('app.tenant', true), '')::bigint);

create policy all_read on feature_flags for select to toimik_chamber, toimik_queue, toimik_auth using (true);
create policy bureau_reads on feature_flags for select to toimik_bureau
  using (tenant_id is null or tenant_id = nullif(current_setting('app.tenant', true), '')::bigint);

create policy bureau_own on case_counters to toimik_bureau
  using (exists (select from bureaus b where b.id = nullif(current_setting('app.tenant', true), '')::bigint
                 and b.code = lpad(prefix::text, 3, '0')))
  with check (exists (select from bureaus b where b.id = nullif(current_setting('app.tenant', true), '')::bigint
                      and b.code = lpad(prefix::text, 3, '0')));

reset role;
