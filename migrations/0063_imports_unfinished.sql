-- Imports that were given up by the sweep, a panic or a hand are found by the sweeper, which tells of their end.
set local role toimik_owner;
create index imports_unfinished on imports (job_id) where finished_at is null;
reset role;
