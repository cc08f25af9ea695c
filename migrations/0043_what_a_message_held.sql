-- A message whose outcome was never learnt may have taken effect, whatever is answered to its repetition; and what the
-- register then has is what was sent first.
set local role toimik_owner;
alter table outward_calls
  add column doubtful boolean not null default false, -- an earlier sending went out without an answer that settles it
  add column body_hash bytea;                         -- of the data sent; null: different data went out under this id
reset role;
