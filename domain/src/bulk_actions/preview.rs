//! What a launch would do, before it does it: how many cases, ten of them, and how many are left alone and why.
use serde_json::Value;
use sqlx::{PgConnection, Postgres, QueryBuilder};

use super::Skipped;
use super::kinds::{Args, Type};
use super::launch::{check, view};
use crate::Result;
use crate::actor::{Actor, Role};
use crate::cases::list::{self, Column, Filters, Rows, Sort, View, Wanted, push_where};
use crate::cases::{CaseState, CaseStatus, Standing};
use crate::page::Page;

#[derive(Debug)]
pub struct Preview {
    pub count: i64,
    /// Ten in a row by number from somewhere among the newest 2,000, as the case list shows them.
    pub sample: Rows,
    pub skipped: Vec<Skipped>,
    /// Cases of other bureaus that match and are not taken.
    pub left_out: i64,
}

const SAMPLE: i64 = 10;
/// The sample comes from within these: pages so near cost no count.
const SAMPLED: i64 = 1_990;

/// Previews a launch; refused as the launch would be.
pub async fn preview(
    conn: &mut PgConnection,
    actor: &Actor,
    kind: i64,
    args: Option<&Value>,
    filters: &Value,
) -> Result<Preview> {
    let (kind, args) = check(actor, kind, args)?;
    let filters = Filters::from_json(filters, "filters")?;
    let groups = groups(conn, kind, args, &filters, view(actor)).await?;
    let count: i64 = groups.iter().map(|group| group.count).sum();
    let wanted = Wanted {
        columns: Column::defaults(),
        sort: Sort::default(),
        filters: filters.clone(),
        view: view(actor),
    };
    let sample = list::page(
        conn,
        &wanted,
        Page {
            limit: SAMPLE,
            offset: rand::random_range(0..=(count - SAMPLE).clamp(0, SAMPLED)),
        },
    )
    .await?
    .rows;
    let left_out = if actor.role == Role::Kt && filters.every_bureau {
        (list::count(conn, &filters, View::EveryBureau).await? - count).max(0)
    } else {
        0
    };
    Ok(Preview {
        count,
        sample,
        skipped: skipped(kind, &groups),
        left_out,
    })
}

/// Matching cases that stand alike.
#[derive(sqlx::FromRow)]
struct Group {
    has_problem: bool,
    in_transfer: bool,
    tarn_accept: bool,
    status: i16,
    refused: bool,
    count: i64,
}

/// One pass over the matches. What types 1 and 3 refuse by sums is told too.
async fn groups(
    conn: &mut PgConnection,
    kind: Type,
    args: Args,
    filters: &Filters,
    view: View,
) -> Result<Vec<Group>> {
    let mut query = QueryBuilder::<Postgres>::new(
        "select l.open_problems > 0 as has_problem, l.in_transfer, l.state = 'tarn_accept' as tarn_accept, l.status, ",
    );
    match (kind, args) {
        (Type::SetStartFee, Args::StartFee(fee)) => {
            query
                .push("c.start_fee_initial_cents - c.start_fee_cents > ")
                .push_bind(fee.0);
        }
        (Type::ComputeIssuerFee, _) => {
            query.push("l.table_fee_cents = 0");
        }
        _ => {
            query.push("false");
        }
    }
    query
        .push(" as refused, count(*) as count from ")
        .push(view.relation())
        .push(" l");
    if kind == Type::SetStartFee {
        query.push(" join cases c on c.id = l.case_id");
    }
    push_where(&mut query, filters, view);
    query.push(" group by 1, 2, 3, 4, 5");
    Ok(query
        .build_query_as()
        .persistent(false)
        .fetch_all(conn)
        .await?)
}

fn skipped(kind: Type, groups: &[Group]) -> Vec<Skipped> {
    let (mut problems, mut refused) = (0, 0);
    let mut blocked_by: Vec<(&str, i64)> = Vec::new();
    for group in groups {
        if group.has_problem && kind.skips_problems() {
            problems += group.count;
        } else if let Some(label) = blocked(group).filter(|_| kind.skips_not_editable()) {
            match blocked_by.iter_mut().find(|(known, _)| *known == label) {
                Some((_, count)) => *count += group.count,
                None => blocked_by.push((label, group.count)),
            }
        } else if group.refused && kind != Type::SyncToRegister {
            refused += group.count;
        }
    }
    blocked_by.sort_by_key(|(label, count)| (std::cmp::Reverse(*count), *label));
    let parts: Vec<String> = blocked_by
        .iter()
        .map(|(label, count)| format!("{} {count}", within(label)))
        .collect();
    let (refusal, why) = match kind {
        Type::SetStartFee => ("received_more", "Laekunud on rohkem kui uus tasu"),
        _ => ("no_fee_base", "Kehtivat rahalist põhinõuet ei ole"),
    };
    let mut found = vec![
        Skipped {
            reason: "problems",
            text: "Lahendamata probleemid".into(),
            count: problems,
        },
        Skipped {
            reason: "not_editable",
            text: format!("Ei saa hetkel muuta: {}", parts.join(" · ")),
            count: blocked_by.iter().map(|(_, count)| count).sum(),
        },
        Skipped {
            reason: refusal,
            text: why.into(),
            count: refused,
        },
    ];
    found.retain(|one| one.count > 0);
    found.sort_by_key(|one| std::cmp::Reverse(one.count));
    found
}

/// A label in the middle of a sentence; an abbreviation stays as it is.
fn within(label: &str) -> String {
    let mut letters = label.chars();
    match (letters.next(), letters.next()) {
        (Some(first), Some(second)) if second.is_lowercase() => {
            first.to_lowercase().chain(label.chars().skip(1)).collect()
        }
        _ => label.to_owned(),
    }
}

fn blocked(group: &Group) -> Option<&'static str> {
    let status = CaseStatus::from_number(group.status)?;
    let state = if group.tarn_accept {
        CaseState::TarnAccept
    } else {
        CaseState::Open
    };
    Standing {
        state,
        status,
        transfer_id: group.in_transfer.then_some(0),
    }
    .blocked_by()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn group(has_problem: bool, status: i16, refused: bool, count: i64) -> Group {
        Group {
            has_problem,
            in_transfer: false,
            tarn_accept: false,
            status,
            refused,
            count,
        }
    }

    #[test]
    fn each_case_is_skipped_for_one_reason() {
        let groups = [
            group(true, 11, true, 5),
            group(false, 11, true, 3),
            group(false, 12, false, 4),
            group(false, 0, true, 2),
            group(false, 0, false, 100),
        ];
        let told = |kind| -> Vec<_> {
            skipped(kind, &groups)
                .into_iter()
                .map(|s| (s.reason, s.count))
                .collect()
        };
        assert_eq!(
            told(Type::SetStartFee),
            [("not_editable", 7), ("problems", 5), ("received_more", 2)]
        );
        assert_eq!(
            told(Type::ComputeIssuerFee),
            [("not_editable", 7), ("problems", 5), ("no_fee_base", 2)]
        );
        assert_eq!(told(Type::SyncToRegister), []);
        let text = &skipped(Type::SetStartFee, &groups)[0].text;
        assert_eq!(
            text,
            "Ei saa hetkel muuta: osalisel lõpetamisel 4 · lõpetamisel 3"
        );
    }
}
