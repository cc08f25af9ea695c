-- Alerts: rules over the figures of each minute, and when they held.
set local role toimik_owner;

alter table queue_depths add column oldest_s integer, add column consumers integer;
comment on column queue_depths.oldest_s is 'For how long the one due first had been due, in seconds; null: none was due.';
comment on column queue_depths.consumers is 'Jobs of the queue that all living processes could do at once.';

create table watch_minutes (
  minute timestamptz not null,
  measure text not null check (measure in ('sampled', 'breakerOpen', 'cronLate')),
  subject text not null,                      -- a register's or a cron's name; '' of sampled
  value integer not null,                     -- 1, or the minutes that it is late
  primary key (minute, measure, subject)
);
comment on table watch_minutes is 'What else is noted each minute beside queue_depths; sampled: that minute was looked at, so that no row means none.';

create table alert_rules (
  id bigint generated always as identity primary key,
  measure text not null check (measure in ('oldestWaiting', 'failedShare', 'noConsumers', 'breakerOpen', 'cronLate', 'backlogGrowing')),
  queue job_queue,
  register text references registers,
  cron text,                                  -- a name; null of cronLate: any
  bureau_id bigint references bureaus,        -- null: all together
  threshold integer not null,                 -- minutes, per cent or jobs, by measure; fires above it
  minutes integer not null,                   -- for how long
  enabled boolean not null default true,
  silenced_until timestamptz,
  webhook_url text,
  value integer,                              -- as last measured
  breached_since timestamptz,
  created_by bigint not null references users,
  created_at timestamptz not null default clock_timestamp(),
  changed_by bigint references users,         -- whoever saved it last
  deleted_at timestamptz,
  version integer not null default 1
);
comment on table alert_rules is 'What is watched; kept when deleted, since its alerts name it.';

create table alerts (
  id bigint generated always as identity primary key,
  rule_id bigint not null references alert_rules,
  fired_at timestamptz not null default clock_timestamp(),
  recovered_at timestamptz,
  peak integer not null,
  told_at timestamptz                         -- null: nobody was told, since the rule was silenced
);
comment on table alerts is 'One row each time that a rule held; open until it recovers.';
create unique index alerts_open on alerts (rule_id) where recovered_at is null;
create index alerts_of_rule on alerts (rule_id, id);

grant select, insert, delete on watch_minutes to toimik_queue;
grant select, insert, update on alert_rules, alerts to toimik_queue;
grant select on watch_minutes, alert_rules, alerts to toimik_chamber;
grant usage on all sequences in schema public to toimik_queue;

reset role;
