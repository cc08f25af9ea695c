-- An alert keeps what its rule said when it fired, and whether its end was told.
set local role toimik_owner;

alter table alerts
  add column measure text, add column queue job_queue, add column register text, add column cron text,
  add column bureau_id bigint references bureaus, add column threshold integer, add column minutes integer,
  add column over_told_at timestamptz;
comment on column alerts.measure is 'This and the next six: as the rule said when it fired.';
comment on column alerts.over_told_at is 'When its end was told, or no longer had to be; null: it goes on, or a silence holds the word.';
update alerts a
set measure = r.measure, queue = r.queue, register = r.register, cron = r.cron, bureau_id = r.bureau_id,
    threshold = r.threshold, minutes = r.minutes, over_told_at = a.recovered_at
from alert_rules r where r.id = a.rule_id;
alter table alerts alter column measure set not null, alter column threshold set not null, alter column minutes set not null;
create index alerts_over_untold on alerts (rule_id) where recovered_at is not null and over_told_at is null;

reset role;
