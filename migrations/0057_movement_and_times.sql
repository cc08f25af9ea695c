-- A job pays less for being seen, counts by time read the index alone, and actions tell how they move.
set local role toimik_owner;

-- Whoever ends a job as failed names its group in the same statement: a trigger cost each job that ended.
drop trigger job_failed on jobs;
drop function job_failed();
comment on column jobs.error_key is 'Of a failed job: the group of alike errors. Written with its state.';
create function group_failures(ids bigint[]) returns void
  language sql security definer set search_path = public, pg_temp
  as $$
    insert into error_groups (key, queue, kind, code, words)
    select distinct on (j.error_key) j.error_key, j.queue, j.kind, coalesce(j.error_code, ''), error_words(j.output)
    from jobs j where j.id = any (ids) and j.state = 'failed' and j.error_key is not null
      and (bulk_action_bureau() is null or j.tenant_id = bulk_action_bureau())
    order by j.error_key, j.id
    on conflict (key) do nothing
  $$;
revoke all on function group_failures(bigint[]) from public;
grant execute on function group_failures(bigint[]) to toimik_bureau, toimik_chamber, toimik_queue;

-- Times stand beside the lanes: what is counted by them is not looked up.
drop index jobs_ended;
create index jobs_ended on jobs (tenant_id, kind, state, id) include (created_at, started_at, finished_at)
  where state in ('ok', 'warning', 'failed', 'cancelled');

grant execute on function job_id_at(timestamptz) to toimik_queue;
drop aggregate add_each_of(integer[]);

-- A list of ids out of `want`; null where there is none.
create function ids_of(list jsonb) returns bigint[]
  language sql immutable
  as $$ select array_agg(i::bigint) from jsonb_array_elements_text(list) i $$;

-- The text of a query for ids; its $1 are the ids of the cases: thousands, written into each part, cost more than the search.
-- `want` holds what narrows, each field optional: tenants, kinds, states, cases, keys, ids (lists),
-- action, operator_action (ids), created, started, finished ({from, until}), args (a pattern). Newest first where `ordered`.
create or replace function job_query(want jsonb, before bigint, most bigint, ordered boolean) returns text
  language plpgsql stable security definer set search_path = public, pg_temp
  as $$
declare
  bureau bigint := bulk_action_bureau();
  tenants bigint[];
  ended text := $q$j.state in ('ok', 'warning', 'failed', 'cancelled')$q$;
  states job_state[] := coalesce((select array_agg(distinct s::job_state) from jsonb_array_elements_text(want -> 'states') s),
                                 enum_range(null::job_state));
  top bigint := coalesce(before - 1, 9223372036854775806);
  bottom bigint := 0;
  cond text := '';
  live text;                                 -- what is asked of what lives: found among all that lives, never by a walk along ids
  owned text := '';                          -- what a lane answers for by itself: whose, of what kind
  parts text[] := '{}';
  rest text;
  by_id text := case when ordered then ' order by j.id + 0 desc' else '' end;   -- sorted whole: never by a walk along all ids
  walk text := case when ordered then ' order by j.id desc' else '' end;
  tail text := format(' limit %s', most);
  slack interval := interval '5 min';
  from_at timestamptz;
  until_at timestamptz;
  few boolean;
  newest text;
  nothing constant text := 'select j.id from jobs j where false';
begin
  if want ? 'tenants' then
    select coalesce(array_agg(t::bigint), '{}') into tenants from jsonb_array_elements_text(want -> 'tenants') t
    where bureau is null or t::bigint = bureau;
  elsif bureau is not null then
    tenants := array[bureau];
  end if;
  if tenants is not null then
    owned := owned || format(' and j.tenant_id = any (%L::bigint[])', tenants);
  end if;
  if want ? 'kinds' then
    owned := owned || format(' and j.kind = any (%L::text[])', (select array_agg(k) from jsonb_array_elements_text(want -> 'kinds') k));
  end if;
  if want ? 'created' then
    if want -> 'created' ->> 'from' is not null then
      bottom := job_id_at((want -> 'created' ->> 'from')::timestamptz - slack);
      cond := cond || format(' and j.created_at >= %L', want -> 'created' ->> 'from');
    end if;
    if want -> 'created' ->> 'until' is not null then
      top := least(top, job_id_at((want -> 'created' ->> 'until')::timestamptz + slack));
      cond := cond || format(' and j.created_at < %L', want -> 'created' ->> 'until');
    end if;
  end if;
  -- Whatever started or finished before an instant was created before it.
  if want -> 'started' ->> 'from' is not null then
    cond := cond || format(' and j.started_at >= %L', want -> 'started' ->> 'from');
  end if;
  if want -> 'started' ->> 'until' is not null then
    top := least(top, job_id_at((want -> 'started' ->> 'until')::timestamptz + slack));
    cond := cond || format(' and j.started_at < %L', want -> 'started' ->> 'until');
  end if;
  if want -> 'finished' ->> 'from' is not null then
    cond := cond || format(' and j.finished_at >= %L', want -> 'finished' ->> 'from');
  end if;
  if want -> 'finished' ->> 'until' is not null then
    top := least(top, job_id_at((want -> 'finished' ->> 'until')::timestamptz + slack));
    cond := cond || format(' and j.finished_at < %L', want -> 'finished' ->> 'until');
  end if;
  if want ? 'args' then
    cond := cond || format(' and j.args::text ilike %L', want ->> 'args');
  end if;
  if want ? 'action' then
    cond := cond || format(' and j.bulk_action_id = %s', (want ->> 'action')::bigint);
  end if;
  if want ? 'keys' then
    cond := cond || format(' and j.error_key = any (%L::text[])', (select array_agg(k) from jsonb_array_elements_text(want -> 'keys') k));
    states := (select coalesce(array_agg(s), '{}') from unnest(states) s where s = 'failed');
  end if;
  rest := cond || format(' and j.id between %s and %s', bottom, top);
  cond := owned || rest;

  -- What the branches below do not look for by themselves is asked of each row.
  if want ? 'cases' and want ?| array['ids', 'operator_action'] then
    cond := cond || ' and j.case_id in (select unnest($1))';
  end if;
  if want ? 'operator_action' and want ? 'ids' then
    cond := cond || format(' and exists (select from operator_action_items i where i.action_id = %s and i.job_id = j.id)',
                           (want ->> 'operator_action')::bigint);
  end if;
  live := replace(cond, ' and j.id between ', ' and j.id + 0 between ');

  if want ? 'ids' then
    return format('select j.id from jobs j where j.id = any (%L::bigint[]) and j.state = any (%L::job_state[])%s%s%s',
                  (select array_agg(i) from jsonb_array_elements_text(want -> 'ids') i), states, cond, by_id, tail);
  elsif want ? 'operator_action' then
    return format('select j.id from operator_action_items i join jobs j on j.id = i.job_id
                   where i.action_id = %s and j.state = any (%L::job_state[])%s%s%s',
                  (want ->> 'operator_action')::bigint, states, cond, by_id, tail);
  elsif want ? 'cases' then
    -- Of many cases the newest jobs are mostly among the newest of all.
    if ordered and most <= 1000 and jsonb_array_length(want -> 'cases') > 500 then
      newest := format('select j.id from (select * from jobs j where j.id <= %s order by j.id desc limit 20000) j
                        where j.state = any (%L::job_state[]) and j.case_id in (select unnest($1))%s%s%s', top, states, cond, by_id, tail);
      execute 'select count(*) >= $2 from (' || newest || ') n' into few using ids_of(want -> 'cases'), most;
      if few then
        return newest;
      end if;
    end if;
    if states && array['ok', 'warning', 'failed', 'cancelled']::job_state[] then
      parts := parts || format('select j.id from unnest($1) c (id) cross join unnest(%L::job_state[]) s (state) cross join lateral (
          select j.id from jobs j where j.case_id = c.id and %s and j.state = s.state%s
          order by j.case_id desc, j.state desc, j.id desc limit %s) j', states, ended, cond, most);
    end if;
    -- A case's live jobs are found among all that live: no index is paid for them.
    if 'queued' = any (states) then
      parts := parts || ('select j.id from jobs j where j.state = ''queued'' and j.case_id in (select unnest($1))' || live);
    end if;
    if states && array['dispatched', 'running']::job_state[] then
      parts := parts || format('select j.id from jobs j where j.state in (''dispatched'', ''running'') and j.state = any (%L::job_state[])
          and j.case_id in (select unnest($1))%s', states, live);
    end if;
    return format('select j.id from (%s) j%s%s', coalesce(nullif(array_to_string(parts, ' union all '), ''), nothing), by_id, tail);
  elsif want ? 'keys' and (tenants is null or cardinality(tenants) > 5) then
    return format('select j.id from unnest(%1$L::text[]) k (key) cross join lateral (
        select j.id from jobs j where j.state = ''failed'' and ''failed'' = any (%2$L::text[]) and j.error_key = k.key%3$s
        order by j.error_key desc, j.id desc limit %4$s) j%5$s%6$s',
      (select array_agg(k) from jsonb_array_elements_text(want -> 'keys') k), states, cond, most, by_id, tail);
  elsif want ? 'action' then
    -- Comparing rows ties the order to the index, as in bulk_action_task_ids.
    return format('select j.id from unnest(%1$L::job_state[]) s (state) cross join lateral (
        select j.id from jobs j where (j.bulk_action_id, j.state, j.id) < (%2$s, s.state, 9223372036854775807)
          and (j.bulk_action_id, j.state) >= (%2$s, s.state) and j.bulk_action_id is not null%3$s
        order by j.bulk_action_id desc, j.state desc, j.id desc limit %4$s) j%5$s%6$s',
      states, (want ->> 'action')::bigint, cond, most, by_id, tail);
  elsif want ? 'args' then
    -- The newest of whom is asked: a bureau's are not lost among all others'.
    return format('select j.id from (' || case when tenants is null or cardinality(tenants) > 5 then
                    'select * from jobs j where j.args is not null and j.id <= %1$s order by j.id desc limit 20000'
                  else 'select n.* from unnest(%5$L::bigint[]) t (id) cross join lateral (
                          select * from jobs j where j.args is not null and j.tenant_id = t.id and j.id <= %1$s
                          order by j.tenant_id desc, j.id desc limit 20000) n' end || ') j
                   where j.state = any (%2$L::job_state[])%3$s%4$s', top, states, cond, by_id || tail, tenants);
  end if;

  -- The few of a narrow time are found by its own index; a probe reads 50,001 entries of it at the most.
  from_at := coalesce((want -> 'finished' ->> 'from')::timestamptz, (want -> 'started' ->> 'from')::timestamptz);
  if from_at is not null then
    until_at := coalesce((want -> 'finished' ->> 'until')::timestamptz, 'infinity');
    execute format('select count(*) <= 50000 from (select from jobs j where %s and j.finished_at >= %L and j.finished_at < %L limit 50001) few',
                   ended, from_at, until_at) into few;
    if few then
      return format('select j.id from (
          select j.id from jobs j where %1$s and j.finished_at >= %2$L and j.finished_at < %3$L and j.state = any (%7$L::job_state[])%4$s
          union all
          select j.id from jobs j where j.state in (''dispatched'', ''running'') and j.state = any (%7$L::job_state[])%4$s
          union all
          select j.id from jobs j where j.state = ''queued'' and ''queued'' = any (%7$L::text[]) and j.started_at is not null%4$s) j%5$s%6$s',
        ended, from_at, until_at, live, by_id, tail, states);
    end if;
  end if;
  -- Nothing narrows but time: the newest first, by id alone.
  if tenants is null and not want ? 'kinds' and cardinality(states) = cardinality(enum_range(null::job_state)) then
    return 'select j.id from jobs j where true' || cond || walk || tail;
  end if;

  -- What has ended comes from the ends of its lanes. Beside an equality of its first column a row's comparison does not say where
  -- an index is entered, and only by its first column does it say where to stop: lanes are stepped by a row, read by equality.
  if states && array['ok', 'warning', 'failed', 'cancelled']::job_state[] then
    parts := parts || format('select j.id from lanes l cross join lateral (
        select j.id from jobs j where %1$s
          and j.tenant_id = l.tenant_id and j.kind = l.kind and j.state = l.state%2$s
        order by j.tenant_id desc, j.kind desc, j.state desc, j.id desc limit %3$s) j
      where l.state = any (%4$L::job_state[])%5$s', ended, rest, most, states,
      case when want ? 'kinds' then format(' and l.kind = any (%L::text[])', (select array_agg(k) from jsonb_array_elements_text(want -> 'kinds') k)) else '' end);
  end if;
  if 'queued' = any (states) then
    parts := parts || format('select * from (select j.id from jobs j where j.state = ''queued''%s %s limit %s) j', live,
      case when ordered then 'order by j.id + 0 desc' else '' end, most);
  end if;
  if states && array['dispatched', 'running']::job_state[] then
    parts := parts || format('select j.id from jobs j where j.state in (''dispatched'', ''running'') and j.state = any (%L::job_state[])%s',
                             states, live);
  end if;
  if cardinality(parts) = 0 then
    return nothing;
  end if;
  return format('with recursive lanes as (
      select n.* from unnest(%1$L::bigint[]) t (id) cross join lateral (
        select j.tenant_id, j.kind, j.state from jobs j where %2$s and j.tenant_id = t.id
        order by j.tenant_id, j.kind, j.state limit 1) n
      union all
      select n.* from lanes l cross join lateral (
        select j.tenant_id, j.kind, j.state from jobs j where %2$s and j.tenant_id <= l.tenant_id
          and (j.tenant_id, j.kind, j.state) > (l.tenant_id, l.kind, l.state)
        order by j.tenant_id, j.kind, j.state limit 1) n
    )
    select j.id from (%3$s) j%4$s%5$s',
    coalesce(tenants, (select array_agg(id) from bureaus)), ended, array_to_string(parts, ' union all '), by_id, tail);
end $$;

create or replace function job_ids(want jsonb, before bigint, most bigint) returns setof bigint
  language plpgsql stable security definer set search_path = public, pg_temp
  as $$ begin return query execute job_query(want, before, most, true) using ids_of(want -> 'cases'); end $$;

-- How many there are of each state, counted up to `most`.
create or replace function job_counts(want jsonb, most bigint) returns table (state job_state, jobs bigint)
  language plpgsql stable security definer set search_path = public, pg_temp
  as $$
declare
  found_jobs bigint[];
  cases bigint[] := ids_of(want -> 'cases');
begin
  if want ? 'cases' then
    want := want || '{"cases": []}';
  end if;
  if want ?| array['ids', 'operator_action', 'args']
     or coalesce((want -> 'started' ->> 'until')::timestamptz, now()) - (want -> 'started' ->> 'from')::timestamptz <= interval '25 hours'
     or coalesce((want -> 'finished' ->> 'until')::timestamptz, now()) - (want -> 'finished' ->> 'from')::timestamptz <= interval '25 hours' then
    execute 'with found as materialized (select j.state, count(*) as jobs from jobs j
                                         where j.id in (' || job_query(want - 'states', null, most * 7, false) || ') group by 1)
             select array_agg(coalesce(f.jobs, 0) order by s.state)
             from unnest(enum_range(null::job_state)) s (state) left join found f on f.state = s.state' into found_jobs using cases;
    if (select sum(f) from unnest(found_jobs) f) < most * 7 then
      return query select s.state, least(s.jobs, most) from unnest(enum_range(null::job_state), found_jobs) s (state, jobs);
      return;
    end if;
  end if;
  foreach state in array enum_range(null::job_state) loop
    execute 'select count(*) from (' || job_query(want || jsonb_build_object('states', jsonb_build_array(state)), null, most, false) || ') j'
      into jobs using cases;
    return next;
  end loop;
end $$;

-- A bureau finds among the groups of its own failures.
create or replace function error_keys(pattern text, most bigint) returns setof text
  language sql stable security definer set search_path = public, pg_temp
  as $$
    select key from error_groups
    where (fold(words) like pattern or code ilike pattern)
      and (bulk_action_bureau() is null
           or key in (select j.error_key from jobs j where j.tenant_id = bulk_action_bureau() and j.state = 'failed'))
    order by first_seen_at desc limit most
  $$;

create table movements (
  subject text not null check (subject in ('bulk', 'operator')),
  id bigint not null,                        -- of the bulk action or the operator action
  tenant_id bigint not null,
  second timestamptz not null,
  done bigint not null,
  failed bigint not null,
  primary key (subject, id, tenant_id, second)
);
comment on table movements is 'How many jobs of an action ended in a second: its pace of the last minutes. No row: none.';
call wall('movements');
create policy queue_all on movements to toimik_queue using (true) with check (true);
grant select, insert, update, delete on movements to toimik_queue;

-- Whose bureau it is is asked once a statement, not of each row: the pipeline writes cases by the hundred.
alter policy bureau_own on cases using (tenant_id = (select app_tenant())) with check (tenant_id = (select app_tenant()));
alter policy bureau_own on claims using (tenant_id = (select app_tenant())) with check (tenant_id = (select app_tenant()));

alter table bulk_actions add column moves_since timestamptz;
alter table operator_actions add column moves_since timestamptz;
comment on column bulk_actions.moves_since is 'When it was last let go on, by a resume or a retry.';
comment on column operator_actions.moves_since is 'When it was last let go on.';
reset role;
