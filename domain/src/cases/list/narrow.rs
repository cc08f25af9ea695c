//! Whether the words of a request are rare: then their cases are named by id; or common: then an index in the order of the
//! list meets them soon. The planner can't tell behind row security.
use sqlx::PgConnection;

use super::filters::{Filters, View};
use crate::Result;

/// Shorter parts of names have no trigram to look up.
const SHORTEST: usize = 3;

/// What is known of the words looked for.
#[derive(Debug, Clone, Default)]
pub(super) struct Narrow {
    /// Cases that hold a rare word; several words: in all of these.
    pub ids: Vec<Vec<i64>>,
    /// The general search is one of them.
    pub search_is_narrow: bool,
    /// The general search finds more than that.
    pub search_is_common: bool,
    /// How many cases it finds at least.
    common: i64,
}

impl Narrow {
    pub fn is_narrow(&self) -> bool {
        !self.ids.is_empty()
    }

    pub fn at_least(&self) -> i64 {
        self.common
    }
}

/// Looks the words up, each as far as it takes to know. `ordered`: the sort has an index.
pub(super) async fn probe(
    conn: &mut PgConnection,
    filters: &Filters,
    view: View,
    ordered: bool,
) -> Result<Narrow> {
    let most = match view {
        View::Bureau => 5_000,
        View::EveryBureau | View::Chamber => 25_000,
    };
    let mut narrow = Narrow::default();
    if let Some(term) = &filters.search {
        let found = look_up(conn, term, view, most + 1).await?;
        if i64::try_from(found.len()).is_ok_and(|count| count <= most) {
            narrow.search_is_narrow = true;
            narrow.ids.push(found);
        } else if ordered && view != View::EveryBureau {
            // The search rows of other bureaus are walled off from a bailiff, so he can't walk along them.
            narrow.search_is_common = true;
            narrow.common = most;
        }
    }
    for name in [&filters.claimant.name, &filters.debtor.name]
        .into_iter()
        .flatten()
    {
        if name.chars().count() >= SHORTEST {
            let found = look_up(conn, name, view, most + 1).await?;
            if i64::try_from(found.len()).is_ok_and(|count| count <= most) {
                narrow.ids.push(found);
            }
        }
    }
    Ok(narrow)
}

async fn look_up(conn: &mut PgConnection, term: &str, view: View, most: i64) -> Result<Vec<i64>> {
    let ids = sqlx::query_scalar!(
        r#"select search_case_ids($1, $2, $3) as "id!""#,
        term,
        view.over_bureaus(),
        most
    )
    .fetch_all(conn)
    .await?;
    Ok(ids)
}
