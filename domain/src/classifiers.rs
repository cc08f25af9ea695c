//! Classifiers and their values: national rows that forms and filters choose from.
use serde_json::Value;
use sqlx::PgConnection;

use crate::Result;
use crate::page::{Listed, Page};

#[derive(Debug, Clone, PartialEq)]
pub struct Classifier {
    pub id: i64,
    pub name: String,
    pub tag: String,
}

#[derive(Debug, Clone, PartialEq)]
pub struct ClassifierValue {
    pub id: i64,
    pub classifier_id: i64,
    pub classifier_tag: String,
    pub name: String,
    pub code: Option<String>,
    pub order_idx: i32,
    pub active: bool,
    /// A list of `{key, value}`.
    pub metadata: Value,
    pub placeholder: bool,
    pub version: i32,
}

/// Which classifiers; an absent part does not narrow, a list means one of.
#[derive(Debug, Clone, Default)]
pub struct Filter {
    pub ids: Option<Vec<i64>>,
    pub names: Option<Vec<String>>,
    pub tags: Option<Vec<String>>,
}

/// Which values; as `Filter`.
#[derive(Debug, Clone, Default)]
pub struct ValueFilter {
    pub ids: Option<Vec<i64>>,
    pub classifier_ids: Option<Vec<i64>>,
    pub tags: Option<Vec<String>>,
    pub names: Option<Vec<String>>,
    pub active: Option<bool>,
}

/// The order of values by their place; ties by id.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ValueOrder {
    Ascending,
    Descending,
}

pub async fn list(
    conn: &mut PgConnection,
    filter: &Filter,
    page: Page,
) -> Result<Listed<Classifier>> {
    let rows = sqlx::query_as!(
        Classifier,
        "select id, name, tag from classifiers
         where ($1::bigint[] is null or id = any($1)) and ($2::text[] is null or name = any($2))
           and ($3::text[] is null or tag = any($3))
         order by id limit $4 offset $5",
        filter.ids.as_deref(),
        filter.names.as_deref(),
        filter.tags.as_deref(),
        page.limit,
        page.offset
    )
    .fetch_all(&mut *conn)
    .await?;
    let total = sqlx::query_scalar!(
        r#"select count(*) as "total!" from classifiers
           where ($1::bigint[] is null or id = any($1)) and ($2::text[] is null or name = any($2))
             and ($3::text[] is null or tag = any($3))"#,
        filter.ids.as_deref(),
        filter.names.as_deref(),
        filter.tags.as_deref()
    )
    .fetch_one(conn)
    .await?;
    Ok(Listed { rows, total })
}

pub async fn values(
    conn: &mut PgConnection,
    filter: &ValueFilter,
    order: ValueOrder,
    page: Page,
) -> Result<Listed<ClassifierValue>> {
    let down = order == ValueOrder::Descending;
    let rows = sqlx::query_as!(
        ClassifierValue,
        "select v.id, v.classifier_id, c.tag as classifier_tag, v.name, v.code, v.order_idx, v.active, v.metadata,
                v.placeholder, v.version
         from classifier_values v join classifiers c on c.id = v.classifier_id
         where ($1::bigint[] is null or v.id = any($1)) and ($2::bigint[] is null or v.classifier_id = any($2))
           and ($3::text[] is null or c.tag = any($3)) and ($4::text[] is null or v.name = any($4))
           and ($5::boolean is null or v.active = $5)
         order by case when $6 then -v.order_idx else v.order_idx end, v.id limit $7 offset $8",
        filter.ids.as_deref(),
        filter.classifier_ids.as_deref(),
        filter.tags.as_deref(),
        filter.names.as_deref(),
        filter.active,
        down,
        page.limit,
        page.offset
    )
    .fetch_all(&mut *conn)
    .await?;
    let total = sqlx::query_scalar!(
        r#"select count(*) as "total!"
           from classifier_values v join classifiers c on c.id = v.classifier_id
           where ($1::bigint[] is null or v.id = any($1)) and ($2::bigint[] is null or v.classifier_id = any($2))
             and ($3::text[] is null or c.tag = any($3)) and ($4::text[] is null or v.name = any($4))
             and ($5::boolean is null or v.active = $5)"#,
        filter.ids.as_deref(),
        filter.classifier_ids.as_deref(),
        filter.tags.as_deref(),
        filter.names.as_deref(),
        filter.active
    )
    .fetch_one(conn)
    .await?;
    Ok(Listed { rows, total })
}
