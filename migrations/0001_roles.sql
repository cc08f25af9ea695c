-- Database roles. They belong to the whole cluster, so several databases of one cluster share them.
--   toimik_owner      owns every object; migrations and dumps
--   toimik_api, toimik_jobs, toimik_scheduler   logins without rights of their own (NOINHERIT)
--   toimik_bureau, toimik_chamber, toimik_queue, toimik_auth   taken per transaction by `set local role`
do $$
declare
  name text;
begin
  perform pg_advisory_xact_lock(7201001);
  foreach name in array array['toimik_owner', 'toimik_bureau', 'toimik_chamber', 'toimik_queue', 'toimik_auth'] loop
    if not exists (select from pg_roles where rolname = name) then
      execute format('create role %I nologin noinherit', name);
    end if;
  end loop;
  foreach name in array array['toimik_api', 'toimik_jobs', 'toimik_scheduler'] loop
    if not exists (select from pg_roles where rolname = name) then
      execute format('create role %I login noinherit', name);
    end if;
  end loop;
  if not pg_has_role(current_user, 'toimik_owner', 'member') then
    execute format('grant toimik_owner to %I', current_user);
  end if;
  if not pg_has_role('toimik_api', 'toimik_auth', 'member') then
    grant toimik_bureau, toimik_chamber, toimik_queue, toimik_auth to toimik_api;
  end if;
  if not pg_has_role('toimik_jobs', 'toimik_queue', 'member') then
    grant toimik_bureau, toimik_chamber, toimik_queue to toimik_jobs;
  end if;
  if not pg_has_role('toimik_scheduler', 'toimik_queue', 'member') then
    grant toimik_queue to toimik_scheduler;
  end if;
end $$;

revoke all on schema public from public;
grant usage, create on schema public to toimik_owner;
grant usage on schema public to toimik_bureau, toimik_chamber, toimik_queue, toimik_auth;
create extension if not exists pg_trgm;
create extension if not exists unaccent;
create extension if not exists btree_gin;

set local role toimik_owner;

-- unaccent is only stable because its dictionary may change; ours does not.
create function fold(value text) returns text
  language sql immutable strict parallel safe
  as $$ select lower(public.unaccent('public.unaccent'::regdictionary, value)) $$;

-- The bureau of this transaction; null when none is set (after `set local` the setting is '').
create function app_tenant() returns bigint
  language sql stable parallel safe
  as $$ select nullif(current_setting('app.tenant', true), '')::bigint $$;

-- Walls one table of bureau rows: owner all, a bureau its own, the chamber reads all.
create procedure wall(name regclass)
  language plpgsql as $$
begin
  execute format('alter table %s enable row level security', name);
  execute format('alter table %s force row level security', name);
  execute format('create policy owner_all on %s to toimik_owner using (true) with check (true)', name);
  execute format('create policy bureau_own on %s to toimik_bureau
    using (tenant_id = nullif(current_setting(''app.tenant'', true), '''')::bigint)
    with check (tenant_id = nullif(current_setting(''app.tenant'', true), '''')::bigint)', name);
  execute format('create policy chamber_read on %s for select to toimik_chamber using (true)', name);
  execute format('grant select on %s to toimik_chamber', name);
  execute format('grant select on %s to toimik_bureau', name);
end $$;

reset role;
