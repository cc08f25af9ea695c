-- Jobs of 90 days: :jobs that ended, ids rising with created_at. Three of four blocks of 5,000 are tasks of one bulk action, the rest is
-- mixed; 5 % of a time failed in some two hundred ways, and the register was away today.
create temp table places on commit preserve rows as
  select row_number() over (order by id) - 1 as place, id from bureaus where code <> 'koda';
create temp table blocks as
  select b, p.id as tenant_id, (array['ComputeIssuerFee', 'SetStartFee', 'SyncToRegister'])[1 + b % 3] as kind,
         (array[3, 1, 9])[1 + b % 3] as type
  from generate_series(0, :jobs / 5000) b join places p on p.place = b * 7 % (select count(*) from places);
with made as (
  insert into bulk_actions (tenant_id, type, status, created_by, created_by_role, created_at, cases_frozen_at, started_at, finished_at, total)
  select tenant_id, type, 3, (select min(id) from users), 'KT', at, at, at, at + interval '1 hour', 5000
  from (select *, now() - interval '90 days' + b * 5000.0 / :jobs * interval '90 days' as at from blocks where b % 4 < 3 order by b) x
  returning id
)
select count(*) from made;
alter table blocks add action bigint;
update blocks set action = a.id from (select id, row_number() over (order by id) as r from bulk_actions) a,
  (select b as bb, row_number() over (order by b) as r from blocks where b % 4 < 3) x where x.r = a.r and blocks.b = x.bb;
create temp table of_bureau as select tenant_id, array_agg(id order by id) as ids from cases group by 1;

insert into jobs (tenant_id, bulk_action_id, case_id, queue, kind, created_at, run_at, started_at, finished_at, runs, failures, state, error_code,
                  output, error_key, args)
select f.tenant_id, f.action, f.case_id, f.queue::job_queue, f.kind, f.at, f.at, f.at + interval '1 min', f.at + interval '61 s', 1,
       case when failed then 1 else 0 end,
       case when failed then 'failed' when h % 97 = 0 then 'warning' when h % 89 = 0 then 'cancelled' else 'ok' end::job_state,
       case when failed then f.code end, case when failed then f.words end,
       case when failed then error_key(f.kind, f.code, f.words) end,
       case when f.kind in ('ImportCases', 'SetStartFee') then jsonb_build_object('importId', n, 'cents', h % 5000) end
from (
  select x.*, q.queue,
         (outage or h % 10000 < 366) as failed,
         case when outage then 'tarn_unreachable' else 'code_' || h % 40 end as code,
         case when outage then 'Täitmisregister ei vasta' else 'Viga ' || chr(65 + (h / 40 % 5)::int) || ': toimik ' || n || ' keeldus' end as words
  from (
    select n, b.b, b.action, abs(hashint8extended(n, 1)) as h, abs(hashint8extended(n, 2)) as g,
           case when b.action is null then p.id else b.tenant_id end as tenant_id,
           case when b.action is null
                then (array['Probe', 'TouchCase', 'SyncToRegister', 'ImportCases'])[1 + (abs(hashint8extended(n, 3)) % 4)::int]
                else b.kind end as kind,
           c.ids[1 + (abs(hashint8extended(n, 4)) % cardinality(c.ids))::int] as case_id,
           now() - interval '90 days' + (n::float8 / :jobs) * interval '90 days' - interval '2 min' as at,
           n > :jobs - 26000 and n % 26 <> 0 as outage
    from generate_series(1, :jobs) n
    join blocks b on b.b = n / 5000
    join places p on p.place = abs(hashint8extended(n, 5)) % (select count(*) from places)
    join of_bureau c on c.tenant_id = case when b.action is null then p.id else b.tenant_id end
    order by n offset 0
  ) x
  join (values ('Probe', 'interactive'), ('TouchCase', 'bulk'), ('ComputeIssuerFee', 'bulk'), ('SetStartFee', 'bulk'),
               ('SyncToRegister', 'register'), ('ImportCases', 'import')) q (kind, queue) using (kind)
  order by n
) f;
insert into error_groups (key, queue, kind, code, words, first_seen_at)
select distinct on (error_key) error_key, queue, kind, error_code, error_words(output), finished_at from jobs where state = 'failed' order by error_key, id;
-- What the charts and the rates are drawn from.
insert into queue_minutes (minute, queue, kind, tenant_id, ok, warning, failed, cancelled, run_ms, wait_ms, wait_hist, run_hist)
select date_trunc('minute', finished_at), queue, kind, tenant_id, count(*) filter (where state = 'ok'), count(*) filter (where state = 'warning'),
       count(*) filter (where state = 'failed'), count(*) filter (where state = 'cancelled'), count(*) * 1000, count(*) * 60000,
       array_fill(0, array[15]) || count(*)::int, array_fill(0, array[9]) || count(*)::int
from jobs group by 1, 2, 3, 4;
insert into queue_depths (minute, queue, tenant_id, waiting)
select distinct minute, queue, tenant_id, 40 from queue_minutes where extract(minute from minute)::int % 5 = 0;
-- What waits for another try tomorrow.
insert into jobs (tenant_id, case_id, queue, kind, run_at, failures)
select c.tenant_id, c.id, 'register', 'SyncToRegister', now() + interval '1 day', 1 from cases c order by c.id limit 20000;
