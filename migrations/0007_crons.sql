-- Firings of crons: one row a due time, whoever fires it and however often.
set local role toimik_owner;

create table cron_runs (
  cron text not null,
  scheduled_at timestamptz not null,
  job_id bigint not null,
  fired_at timestamptz not null default clock_timestamp(),
  primary key (cron, scheduled_at)
);
comment on table cron_runs is 'A tick is a row here and one job, in one transaction.';
grant select, insert on cron_runs to toimik_queue;
grant select on cron_runs to toimik_chamber;

reset role;
