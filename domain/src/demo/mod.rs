//! Demo data: bureaus, users, and as many synthetic cases as wanted, made by the database in sets and always the same.
use sqlx::{Connection, PgConnection};

use crate::ids::CaseId;
use crate::{Error, Result, cases};

/// From here on indexes are built afterwards, not row by row.
const LARGE: i64 = 20_000;
/// Cases whose list rows are written by one statement.
const REFRESHED_AT_ONCE: usize = 20_000;

/// How much to make. The first bureau gets 2.6 times the cases of each other one.
#[derive(Debug, Clone)]
pub struct Plan {
    pub cases: i64,
    pub bureaus: i64,
    /// Of the demo users' password, in PHC form.
    pub password_hash: String,
}

/// Loads the demo data in one transaction; refused with `not_empty` where there are bureaus besides the chamber.
/// Needs the administrator's connection.
pub async fn load(conn: &mut PgConnection, plan: &Plan) -> Result<()> {
    if !(3..=800).contains(&plan.bureaus) {
        return Err(Error::invalid("bureaus", "Büroosid peab olema 3 kuni 800."));
    }
    if !(plan.bureaus..=20_000_000).contains(&plan.cases) {
        return Err(Error::invalid("cases", "Toimikute arv ei sobi."));
    }
    let large = plan.cases >= LARGE;
    let mut tx = conn.begin().await?;
    sqlx::raw_sql("set local jit = off; set local timezone = 'UTC'; set local work_mem = '256MB'")
        .execute(&mut *tx)
        .await?;
    if large {
        sqlx::query!(
            r#"select set_config('session_replication_role', 'replica', true) as "set"
               from pg_roles where rolname = current_user and rolsuper"#
        )
        .fetch_optional(&mut *tx)
        .await?;
    }
    sqlx::raw_sql("set local role toimik_owner")
        .execute(&mut *tx)
        .await?;
    let taken = sqlx::query_scalar!(
        r#"select exists (select from bureaus where not is_chamber) as "taken!""#
    )
    .fetch_one(&mut *tx)
    .await?;
    if taken {
        return Err(Error::refused("not_empty", "Andmebaasis on juba bürood."));
    }
    make_bureaus(&mut tx, plan).await?;
    make_users(&mut tx, &plan.password_hash).await?;
    sqlx::raw_sql(include_str!("functions.sql"))
        .execute(&mut *tx)
        .await?;
    if large {
        sqlx::raw_sql(include_str!("prepare.sql"))
            .execute(&mut *tx)
            .await?;
    }
    sqlx::raw_sql(include_str!("people.sql"))
        .execute(&mut *tx)
        .await?;
    sqlx::raw_sql(include_str!("cases.sql"))
        .execute(&mut *tx)
        .await?;
    if large {
        // What the list rows are computed from is looked up by these.
        sqlx::raw_sql(
            "create index demo_claims on claims (case_id); create index demo_surcharges on surcharges (case_id);
             analyze people, cases, claims, surcharges, bank_accounts, case_solutions, problems",
        )
        .execute(&mut *tx)
        .await?;
    }
    let ids = sqlx::query_scalar!("select id from cases order by id")
        .fetch_all(&mut *tx)
        .await?;
    for chunk in ids.chunks(REFRESHED_AT_ONCE) {
        let chunk: Vec<CaseId> = chunk.iter().copied().map(CaseId).collect();
        cases::refresh_list(&mut tx, &chunk).await?;
    }
    if large {
        sqlx::raw_sql("drop index demo_claims; drop index demo_surcharges")
            .execute(&mut *tx)
            .await?;
        sqlx::raw_sql(include_str!("finish.sql"))
            .execute(&mut *tx)
            .await?;
    }
    tx.commit().await?;
    sqlx::raw_sql("vacuum (analyze) people, addresses, bank_accounts, cases, claims, surcharges, case_solutions, problems, case_list, case_search")
        .execute(conn)
        .await?;
    Ok(())
}

/// Bureaus 101, 102, …, and the table that says how many cases each gets.
async fn make_bureaus(conn: &mut PgConnection, plan: &Plan) -> Result<()> {
    sqlx::query!(
        "insert into bureaus (code, name, bailiff_name, bailiff_code, vat_liable, email, address)
         select 100 + n, case n when 1 then 'Mari Näidise büroo' when 2 then 'Jaan Proovi büroo' when 3 then 'Tiiu Katse büroo'
                         else 'Näidisbüroo ' || 100 + n end,
                case n when 1 then 'Mari Näidis' when 2 then 'Jaan Proov' when 3 then 'Tiiu Katse'
                       else 'Täitur Näidis ' || 100 + n end,
                case n when 1 then '46709049932' when 2 then '36204309914' when 3 then '47002129977' end,
                n <> 3, 'buroo' || 100 + n || '@toimik.example', 'Näidise tee ' || n || ', Tallinn'
         from generate_series(1, $1::bigint) n",
        plan.bureaus
    )
    .execute(&mut *conn)
    .await?;
    // The largest bureau takes what rounding leaves over.
    sqlx::query(
        "create temp table demo_bureaus on commit drop as
         select id as tenant_id, code::bigint as prefix, vat_liable, cases,
                least(greatest(1, cases * 13 / 20), 400000) as debtors
         from (select id, code, vat_liable,
                      case when row_number() over (order by code) > 1 then each else $1 - each * ($2 - 1) end as cases
               from bureaus, lateral (select ($1 * 10 / ($2 * 10 + 16))::bigint as each) e
               where not is_chamber) b",
    )
    .bind(plan.cases)
    .bind(plan.bureaus)
    .execute(conn)
    .await?;
    Ok(())
}

/// The demo sign-ins, all with one password.
async fn make_users(conn: &mut PgConnection, password_hash: &str) -> Result<()> {
    sqlx::query!(
        "insert into users (username, username_key, name, email, personal_code, password_hash)
         select u.username, u.username, u.name, u.username || '@toimik.example', u.code, $1
         from (values ('taitur', 'Mari Näidis', '46709049932'), ('taitur2', 'Jaan Proov', '36204309914'),
                      ('koda', 'Kersti Koda', '47103249986'), ('arendaja', 'Arvo Arendaja', '36006299931'),
                      ('mitu', 'Mitu Rolli', '39007079960')) u (username, name, code)",
        password_hash
    )
    .execute(&mut *conn)
    .await?;
    sqlx::query!(
        "insert into user_roles (user_id, tenant_id, role)
         select u.id, b.id, r.role::role_code
         from (values ('taitur', '101', 'KT'), ('taitur2', '102', 'KT'), ('koda', 'koda', 'koda'), ('arendaja', 'koda', 'dev'),
                      ('mitu', '101', 'KT'), ('mitu', '102', 'KT'), ('mitu', 'koda', 'koda')) r (username, code, role)
         join users u on u.username = r.username
         join bureaus b on b.code = r.code"
    )
    .execute(conn)
    .await?;
    Ok(())
}
