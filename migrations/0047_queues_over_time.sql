-- Figures per minute for charts: how long jobs waited and ran as histograms, and how many waited.
set local role toimik_owner;

alter table queue_minutes add column wait_hist integer[] not null default '{}', add column run_hist integer[] not null default '{}';
comment on column queue_minutes.wait_hist is 'Jobs by how long they waited: the n-th (from 1) took less than 2ⁿ ms and no less than half of it.';
comment on column queue_minutes.run_hist is 'The same for how long they ran.';

create function add_each(a integer[], b integer[]) returns integer[]
  language sql immutable parallel safe
  as $$ select coalesce(array_agg(coalesce(x, 0) + coalesce(y, 0) order by place), '{}')
        from unnest(a, b) with ordinality as t (x, y, place) $$;
create aggregate add_each_of(integer[]) (sfunc = add_each, stype = integer[], initcond = '{}');

create table queue_depths (
  minute timestamptz not null,
  queue job_queue not null,
  tenant_id bigint not null,
  waiting integer not null,
  primary key (minute, queue, tenant_id)
);
comment on table queue_depths is 'How many jobs waited, counted once a minute by the leader; no row: none.';
alter table queue_depths enable row level security;
alter table queue_depths force row level security;
create policy owner_all on queue_depths to toimik_owner using (true) with check (true);
create policy queue_all on queue_depths to toimik_queue using (true) with check (true);
create policy chamber_read on queue_depths for select to toimik_chamber using (true);
create policy bureau_own on queue_depths for select to toimik_bureau
  using (tenant_id = nullif(current_setting('app.tenant', true), '')::bigint);
grant select, insert, update, delete on queue_depths to toimik_queue;
grant select on queue_depths to toimik_chamber, toimik_bureau;

-- A bureau sees the figures of its own work.
create policy bureau_own on queue_minutes for select to toimik_bureau
  using (tenant_id = nullif(current_setting('app.tenant', true), '')::bigint);
grant select on queue_minutes to toimik_bureau;

-- Jobs that end without a worker (cancelled while they waited, lost with their workers) are counted by whoever ends them.
create function count_ended(ids bigint[]) returns void
  language sql security definer set search_path = public, pg_temp
  as $$
    insert into queue_minutes as m (minute, queue, kind, tenant_id, failed, cancelled)
    select date_trunc('minute', clock_timestamp()), j.queue, j.kind, j.tenant_id,
           count(*) filter (where j.state = 'failed'), count(*) filter (where j.state = 'cancelled')
    from jobs j where j.id = any (ids) and j.state in ('failed', 'cancelled')
      and (bulk_action_bureau() is null or j.tenant_id = bulk_action_bureau())
    group by 2, 3, 4 order by 2, 3, 4
    on conflict (minute, queue, kind, tenant_id) do update
    set failed = m.failed + excluded.failed, cancelled = m.cancelled + excluded.cancelled
  $$;
revoke all on function count_ended(bigint[]) from public;
grant execute on function count_ended(bigint[]) to toimik_bureau, toimik_chamber, toimik_queue;
reset role;
