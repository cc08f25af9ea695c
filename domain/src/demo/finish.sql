-- Brings the indexes of a large load back.
set local maintenance_work_mem = '512MB';

do $$
declare definition text;
begin
  for definition in select indexdef from demo_indexes loop
    execute definition;
  end loop;
end $$;
