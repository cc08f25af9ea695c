-- Whether a bulk action has a task in one of the states from `low` to `high`, in the order of the enum.
-- Rows are compared and put in order: a plan that expects thousands would look for one through the whole table. Backwards,
-- since the front of an index has what just left it.
set local role toimik_owner;

create function has_task(action bigint, low job_state, high job_state) returns boolean
  language sql stable
  as $$
    select (select id from jobs
            where (bulk_action_id, state) >= (action, low) and (bulk_action_id, state) <= (action, high)
              and bulk_action_id is not null
            order by bulk_action_id desc, state desc, id desc limit 1) is not null
        or (select id from job_archive
            where (bulk_action_id, state) >= (action, low) and (bulk_action_id, state) <= (action, high)
            order by bulk_action_id desc, state desc, id desc limit 1) is not null $$;
reset role;
