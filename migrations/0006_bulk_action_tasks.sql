-- Tasks of bulk actions wherever they lie: live and recent ones in `jobs`, those over 90 days old in `job_archive`.
set local role toimik_owner;

-- Row security of the two tables is the reader's.
create view bulk_action_tasks with (security_invoker = true) as
  select id, tenant_id, bulk_action_id, case_id, created_at, run_at, started_at, finished_at, runs, failures, state, kind,
         output, error_code, created_by, retried_by
  from jobs
  union all
  select id, tenant_id, bulk_action_id, case_id, created_at, run_at, started_at, finished_at, runs, failures, state, kind,
         output, error_code, created_by, retried_by
  from job_archive;
grant select on bulk_action_tasks to toimik_bureau, toimik_chamber, toimik_queue;

-- Equality of enums is not leakproof, so under row security no index on `state` serves a bureau (100,000 tasks: 1.4 s a
-- page instead of 1 ms). These two go behind it and narrow by themselves to what the caller's role may see.
create function bulk_action_bureau() returns bigint
  language sql stable
  as $$ select case when current_setting('role') in ('toimik_chamber', 'toimik_queue') then null
                    else coalesce(app_tenant(), -1) end $$;
comment on function bulk_action_bureau() is 'The bureau to narrow tasks to; null: all bureaus.';

create function bulk_action_counts(wanted bigint[]) returns table (action_id bigint, state job_state, tasks bigint)
  language plpgsql stable security definer set search_path = public, pg_temp
  as $$
declare
  bureau bigint := bulk_action_bureau();
begin
  -- A bureau's own action holds its own tasks only: counted in the index alone.
  return query
    select j.bulk_action_id, j.state, count(*) from jobs j
    where j.bulk_action_id in (select a.id from bulk_actions a where a.id = any (wanted) and (bureau is null or a.tenant_id = bureau))
    group by 1, 2
    union all
    select j.bulk_action_id, j.state, count(*) from job_archive j
    where j.bulk_action_id in (select a.id from bulk_actions a where a.id = any (wanted) and (bureau is null or a.tenant_id = bureau))
    group by 1, 2;
  if bureau is not null then
    return query
      select t.bulk_action_id, t.state, count(*) from bulk_action_tasks t
      where t.tenant_id = bureau
        and t.bulk_action_id in (select a.id from bulk_actions a where a.id = any (wanted) and a.tenant_id <> bureau)
      group by 1, 2;
  end if;
end $$;

create function bulk_action_task_ids(action bigint, states job_state[], pattern text, silent text, falling boolean,
                                     after bigint, most bigint, skip bigint) returns setof bigint
  language plpgsql stable security definer set search_path = public, pg_temp
  as $$
declare
  bureau bigint := bulk_action_bureau();
begin
  -- Comparing rows, not columns, ties the order to the index on (bulk_action_id, state, id): for a plain `order by id limit`
  -- the planner walks the primary key, which is slow where the state is rare.
  if falling then
    return query
      select t.id from unnest(states) as s (state)
      cross join lateral (
        (select b.id from jobs b
         where (b.bulk_action_id, b.state, b.id) < (action, s.state, 9223372036854775807)
           and (b.bulk_action_id, b.state) >= (action, s.state) and b.bulk_action_id is not null
           and (bureau is null or b.tenant_id = bureau)
           and (pattern is null or coalesce(nullif(b.output, ''), case when b.state = 'failed' then silent end) ilike pattern)
         order by b.bulk_action_id desc, b.state desc, b.id desc limit most + skip)
        union all
        (select b.id from job_archive b
         where (b.bulk_action_id, b.state, b.id) < (action, s.state, 9223372036854775807)
           and (b.bulk_action_id, b.state) >= (action, s.state) and b.bulk_action_id is not null
           and (bureau is null or b.tenant_id = bureau)
           and (pattern is null or coalesce(nullif(b.output, ''), case when b.state = 'failed' then silent end) ilike pattern)
         order by b.bulk_action_id desc, b.state desc, b.id desc limit most + skip)) t
      order by t.id desc limit most offset skip;
  else
    return query
      select t.id from unnest(states) as s (state)
      cross join lateral (
        (select b.id from jobs b
         where (b.bulk_action_id, b.state, b.id) > (action, s.state, after)
           and (b.bulk_action_id, b.state) <= (action, s.state) and b.bulk_action_id is not null
           and (bureau is null or b.tenant_id = bureau)
           and (pattern is null or coalesce(nullif(b.output, ''), case when b.state = 'failed' then silent end) ilike pattern)
         order by b.bulk_action_id, b.state, b.id limit most + skip)
        union all
        (select b.id from job_archive b
         where (b.bulk_action_id, b.state, b.id) > (action, s.state, after)
           and (b.bulk_action_id, b.state) <= (action, s.state) and b.bulk_action_id is not null
           and (bureau is null or b.tenant_id = bureau)
           and (pattern is null or coalesce(nullif(b.output, ''), case when b.state = 'failed' then silent end) ilike pattern)
         order by b.bulk_action_id, b.state, b.id limit most + skip)) t
      order by t.id limit most offset skip;
  end if;
end $$;
comment on function bulk_action_task_ids(bigint, job_state[], text, text, boolean, bigint, bigint, bigint) is
  'A page of an action''s tasks in these states; `silent` stands for the output of a failed task that has none.';

revoke all on function bulk_action_counts(bigint[]) from public;
revoke all on function bulk_action_task_ids(bigint, job_state[], text, text, boolean, bigint, bigint, bigint) from public;
grant execute on function bulk_action_counts(bigint[]) to toimik_bureau, toimik_chamber, toimik_queue;
grant execute on function bulk_action_task_ids(bigint, job_state[], text, text, boolean, bigint, bigint, bigint)
  to toimik_bureau, toimik_chamber, toimik_queue;

reset role;
