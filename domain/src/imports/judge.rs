//! Judges the staged rows in sets: numbers twice in the file, cases that are there already, people under another name.
//! Leaves `import_plan` (what becomes of each row) and `import_people` (who stands behind each code).
use futures::TryStreamExt;
use sqlx::PgConnection;

use super::header::{Field, Source};
use super::issues::{Issue, Issues};
use crate::Result;
use crate::cases::Number;
use crate::ids::TenantId;

/// How many rows are new, changed and as they were.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Plan {
    pub added: i32,
    pub updated: i32,
    pub unchanged: i32,
}

/// Judges all rows; changes nothing but temporary tables, and locks the cases that would change.
pub async fn judge(
    conn: &mut PgConnection,
    tenant: TenantId,
    source: Source,
    issues: &mut Issues,
) -> Result<Plan> {
    sqlx::raw_sql("analyze import_rows")
        .execute(&mut *conn)
        .await?;
    twice(conn, source, issues).await?;
    plan(conn).await?;
    changed_since(conn, source, issues).await?;
    people(conn, tenant).await?;
    other_names(conn, source, issues).await?;
    let (added, updated, unchanged) = sqlx::query_as::<_, (i64, i64, i64)>(
        "select count(*) filter (where verdict = 1), count(*) filter (where verdict = 2), count(*) filter (where verdict = 0)
         from import_plan",
    )
    .fetch_one(conn)
    .await?;
    let small = |count: i64| i32::try_from(count).unwrap_or(i32::MAX);
    Ok(Plan {
        added: small(added),
        updated: small(updated),
        unchanged: small(unchanged),
    })
}

/// The issue of a judged row, in its number column.
pub fn issue(row: i32, number: Number, field: Field, source: Source, message: String) -> Issue {
    Issue {
        row: u32::try_from(row).unwrap_or(0),
        case_number: Some(number.to_string()),
        column: Some(field.title(source).into()),
        message,
    }
}

async fn twice(conn: &mut PgConnection, source: Source, issues: &mut Issues) -> Result<()> {
    let mut rows = sqlx::query_as::<_, (i32, i16, i16, i32, i32)>(
        "select row, prefix, year, index, first_row
         from (select row, prefix, year, index, min(row) over (partition by prefix, year, index) as first_row
               from import_rows where index is not null) r
         where row > first_row
         order by row",
    )
    .fetch(conn);
    while let Some((row, prefix, year, index, first)) = rows.try_next().await? {
        let number = Number {
            prefix,
            year,
            index,
        };
        let message = format!("Sama toimiku number on failis juba real {first}.");
        issues
            .errors
            .add(issue(row, number, Field::Number, source, message));
    }
    Ok(())
}

async fn plan(conn: &mut PgConnection) -> Result<()> {
    // Locked first, so that the version that is judged is the version that is written over.
    sqlx::raw_sql(
        "select count(*) from (
           select c.id from cases c
           join import_rows r on c.prefix = r.prefix and c.year = r.year and c.index = r.index
           where c.import_row is distinct from r.digest
           order by c.id for update of c) locked;
         create temporary table import_plan on commit drop as
         select r.row, coalesce(c.id, nextval('public.cases_id_seq')) as case_id, c.import_row is not null as imported,
                (case when c.id is null then 1
                      when c.import_row = r.digest then 0
                      when c.import_row is not null and c.version = c.import_version then 2
                      else 3 end)::smallint as verdict
         from import_rows r
         left join cases c on c.prefix = r.prefix and c.year = r.year and c.index = r.index
         where r.index is not null;
         analyze import_plan",
    )
    .execute(conn)
    .await?;
    Ok(())
}

async fn changed_since(conn: &mut PgConnection, source: Source, issues: &mut Issues) -> Result<()> {
    let mut rows = sqlx::query_as::<_, (i32, i16, i16, i32, bool)>(
        "select r.row, r.prefix, r.year, r.index, p.imported
         from import_plan p join import_rows r on r.row = p.row
         where p.verdict = 3
         order by r.row",
    )
    .fetch(conn);
    while let Some((row, prefix, year, index, imported)) = rows.try_next().await? {
        let number = Number {
            prefix,
            year,
            index,
        };
        let message = if imported {
            "Rida erineb varem imporditust, aga toimikut on pärast importi muudetud."
        } else {
            "Sellise numbriga toimik on juba olemas ja seda ei ole imporditud."
        };
        issues
            .errors
            .add(issue(row, number, Field::Number, source, message.into()));
    }
    Ok(())
}

async fn people(conn: &mut PgConnection, tenant: TenantId) -> Result<()> {
    sqlx::query(
        "create temporary table import_people on commit drop as
         select f.code, f.type, f.born, f.gender, coalesce(p.name, f.name) as name, p.id is not null as known, f.row,
                coalesce(p.id, nextval('public.people_id_seq')) as person_id
         from (select distinct on (code) row, code, type, name, born, gender
               from (select row, claimant_code as code, claimant_type as type, claimant_name as name, claimant_born as born,
                            claimant_gender as gender
                     from import_rows
                     union all
                     select row, debtor_code, debtor_type, debtor_name, debtor_born, debtor_gender from import_rows) m
               where code is not null and name is not null
               order by code, row) f
         left join people p on p.tenant_id = $1 and p.code = f.code",
    )
    .bind(tenant)
    .execute(&mut *conn)
    .await?;
    sqlx::raw_sql("analyze import_people").execute(conn).await?;
    Ok(())
}

async fn other_names(conn: &mut PgConnection, source: Source, issues: &mut Issues) -> Result<()> {
    let mut rows = sqlx::query_as::<_, (i32, Option<i16>, Option<i16>, Option<i32>, bool, bool, String, i32)>(
        "select m.row, m.prefix, m.year, m.index, m.is_debtor, p.known, p.name, p.row as first_row
         from (select row, prefix, year, index, false as is_debtor, claimant_code as code, claimant_name as name from import_rows
               union all
               select row, prefix, year, index, true, debtor_code, debtor_name from import_rows) m
         join import_people p on p.code = m.code
         where lower(m.name) <> lower(p.name)
         order by m.row",
    )
    .fetch(conn);
    while let Some((row, prefix, year, index, is_debtor, known, name, first)) =
        rows.try_next().await?
    {
        let field = if is_debtor {
            Field::DebtorName
        } else {
            Field::ClaimantName
        };
        let name = super::values::shortened(&name);
        let message = if known {
            format!("Sama koodiga isik on juba olemas nimega \"{name}\"; nime ei muudetud.")
        } else {
            format!("Sama koodiga isiku nimi on real {first} \"{name}\"; kasutati seda.")
        };
        let number = prefix.zip(year).zip(index).map(|((prefix, year), index)| {
            Number {
                prefix,
                year,
                index,
            }
            .to_string()
        });
        issues.warnings.add(Issue {
            row: u32::try_from(row).unwrap_or(0),
            case_number: number,
            column: Some(field.title(source).into()),
            message,
        });
    }
    Ok(())
}
