-- A run of an import replaces the list of what an earlier run found.
set local role toimik_owner;
grant delete on import_issues to toimik_bureau;
comment on column imports.percent is 'Written in transactions of its own while the import''s one transaction is open.';
reset role;
