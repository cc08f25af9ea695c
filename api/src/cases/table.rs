//! A page of the case list as JSON: each row holds what the list itself needs, and the columns asked for.
use domain::cases::list::{
    self, COLUMNS, Cell, Column, Direction, Filters, MOST_ROWS, Sort, View, Wanted,
};
use domain::page::Page;
use domain::{Actor, db};
use serde::ser::{Error as _, SerializeMap};
use serde::{Deserialize, Serialize, Serializer};
use serde_json::Value;
use utoipa::ToSchema;

use crate::app::App;
use crate::collection::Ld;
use crate::error::Result;

/// In every row, whatever the columns: for the link, the icons and their words. Source: spec 2 §2.1, §2.2.
const ALWAYS: [&str; 8] = [
    "number",
    "status",
    "state",
    "tenant",
    "register_id",
    "last_transition_error",
    "in_transfer",
    "problem_count",
];
const ROWS: i64 = 40;

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct TableRequest {
    /// Fields of `GET /v2/enforcement_cases/columns`; absent: the default ones.
    columns: Option<Vec<String>>,
    /// At most 1000; 40 when absent. As CSV: absent is everything.
    pub limit: Option<i64>,
    pub page: Option<i64>,
    sort: Option<SortRequest>,
    /// Spec 2 §3.3, literal keys such as `claimant.name`.
    #[schema(value_type = Option<Object>)]
    filters: Option<Value>,
    /// Count even when the page does not reach the end.
    count: Option<bool>,
}

#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
struct SortRequest {
    field: String,
    /// asc or desc; asc when absent.
    direction: Option<String>,
}

impl TableRequest {
    /// What is wanted, with the bureau's column where other bureaus' cases are.
    pub fn wanted(&self, actor: &Actor) -> Result<Wanted> {
        let filters = Filters::from_json(self.filters.as_ref().unwrap_or(&Value::Null), "filters")?;
        let view = View::of(actor, &filters);
        let mut columns = match &self.columns {
            None => Column::defaults(),
            Some(fields) => named(fields)?,
        };
        if view == View::EveryBureau {
            add(&mut columns, Column::named("tenant", "columns")?);
        }
        let sort = match &self.sort {
            None => Sort::default(),
            Some(sort) => Sort {
                column: Column::named(&sort.field, "sort.field")?,
                direction: match &sort.direction {
                    None => Direction::Ascending,
                    Some(direction) => Direction::named(direction, "sort.direction")?,
                },
            },
        };
        Ok(Wanted {
            columns,
            sort,
            filters,
            view,
        })
    }

    pub fn paged(&self) -> Result<Page> {
        Ok(Page::new(
            self.page.unwrap_or(1),
            self.limit.unwrap_or(ROWS),
            MOST_ROWS,
        )?)
    }
}

fn named(fields: &[String]) -> Result<Vec<&'static Column>> {
    let mut columns = Vec::new();
    for (position, field) in fields.iter().enumerate() {
        add(
            &mut columns,
            Column::named(field, &format!("columns[{position}]"))?,
        );
    }
    Ok(if columns.is_empty() {
        Column::defaults()
    } else {
        columns
    })
}

fn add(columns: &mut Vec<&'static Column>, column: &'static Column) {
    if !columns.contains(&column) {
        columns.push(column);
    }
}

/// Answers with one page.
pub async fn page(app: &App, actor: &Actor, request: TableRequest) -> Result<Ld<Table>> {
    let page = request.paged()?;
    let mut wanted = request.wanted(actor)?;
    for column in COLUMNS
        .iter()
        .filter(|column| ALWAYS.contains(&column.field))
    {
        add(&mut wanted.columns, column);
    }
    let mut tx = db::begin(&app.pool, wanted.view.scope(actor)).await?;
    let found = list::page(&mut tx, &wanted, page).await?;
    let total = match found.total {
        None if request.count == Some(true) => {
            Some(list::count(&mut tx, &wanted.filters, wanted.view).await?)
        }
        known => known,
    };
    tx.commit().await?;
    Ok(Ld(Table {
        context: "/contexts/EnforcementCase",
        iri: "/v2/enforcement_cases/data_table",
        kind: "Collection",
        total,
        member: Members(found.rows),
    }))
}

#[derive(Serialize, ToSchema)]
pub struct Table {
    #[serde(rename = "@context")]
    context: &'static str,
    #[serde(rename = "@id")]
    iri: &'static str,
    #[serde(rename = "@type")]
    kind: &'static str,
    /// Present when the page reaches the end or `count` was asked for.
    #[serde(rename = "totalItems", skip_serializing_if = "Option::is_none")]
    total: Option<i64>,
    #[schema(value_type = Vec<Object>)]
    member: Members,
}

struct Members(list::Rows);

impl Serialize for Members {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.iter().map(Member))
    }
}

struct Member<'r>(list::Row<'r>);

#[derive(Serialize)]
struct Money {
    cents: i64,
    currency: &'static str,
    #[serde(rename = "tarnId")]
    tarn_id: Option<i64>,
}

impl Serialize for Member<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let id = self.0.id().map_err(S::Error::custom)?;
        let tenant = self.0.tenant_id().map_err(S::Error::custom)?;
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("@id", &format!("/v2/enforcement_cases/{id}"))?;
        map.serialize_entry("@type", "EnforcementCase")?;
        map.serialize_entry("id", &id)?;
        map.serialize_entry("tenant_id", &tenant)?;
        for cell in self.0.cells() {
            let (column, cell) = cell.map_err(S::Error::custom)?;
            let field = column.field;
            match cell {
                Cell::Number(number) => map.serialize_entry(field, &number.to_string())?,
                Cell::Status(status) => map.serialize_entry(field, &status)?,
                Cell::State(state) => map.serialize_entry(field, &state)?,
                Cell::Text(text) => map.serialize_entry(field, &text)?,
                Cell::Money(cents) => map.serialize_entry(
                    field,
                    &Money {
                        cents: cents.0,
                        currency: "EUR",
                        tarn_id: None,
                    },
                )?,
                Cell::Date(day) => map.serialize_entry(field, &day)?,
                Cell::Integer(value) => map.serialize_entry(field, &value)?,
                Cell::Flag(value) => map.serialize_entry(field, &value)?,
            }
        }
        map.end()
    }
}
