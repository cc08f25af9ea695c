//! Classifiers and their values: reading them in both styles.
use axum::Json as JsonAnswer;
use axum::extract::State;
use domain::classifiers::{self, Classifier, ClassifierValue, Filter, ValueFilter, ValueOrder};
use domain::{Actor, db};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::{router::OpenApiRouter, routes};

use crate::app::App;
use crate::banks::Direction;
use crate::collection::{Collection, Items, Ld, Links, Resource, page};
use crate::error::{Result, Violations};
use crate::extract::{Query, among, filter, yes_or_no};

pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(list))
        .routes(routes!(values))
        .routes(routes!(values_v2))
}

#[derive(Serialize, ToSchema)]
struct ClassifierAnswer {
    id: i64,
    name: String,
    tag: String,
}

impl From<Classifier> for ClassifierAnswer {
    fn from(classifier: Classifier) -> Self {
        let Classifier { id, name, tag } = classifier;
        Self { id, name, tag }
    }
}

#[derive(Serialize, ToSchema)]
struct ClassifierValueAnswer {
    id: i64,
    /// The classifier's id.
    classifier: i64,
    classifier_tag: String,
    name: String,
    code: Option<String>,
    order_idx: i32,
    active: bool,
    /// A list of `{key, value}`.
    #[schema(value_type = Vec<Object>)]
    metadata: serde_json::Value,
    /// Not the law's figure: to be checked before use.
    placeholder: bool,
    version: i32,
}

impl Resource for ClassifierValueAnswer {
    const TYPE: &'static str = "ClassifierValue";
    const PATH: &'static str = "/v2/classifier_values";

    fn key(&self) -> String {
        self.id.to_string()
    }
}

impl From<ClassifierValue> for ClassifierValueAnswer {
    fn from(value: ClassifierValue) -> Self {
        Self {
            id: value.id,
            classifier: value.classifier_id,
            classifier_tag: value.classifier_tag,
            name: value.name,
            code: value.code,
            order_idx: value.order_idx,
            active: value.active,
            metadata: value.metadata,
            placeholder: value.placeholder,
            version: value.version,
        }
    }
}

#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct ListQuery {
    page: Option<i64>,
    limit: Option<i64>,
    /// A JSON object of equalities on id, name, tag.
    #[serde(rename = "where")]
    #[param(rename = "where")]
    filter: Option<String>,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Where {
    #[serde(deserialize_with = "among")]
    id: Option<Vec<i64>>,
    #[serde(deserialize_with = "among")]
    name: Option<Vec<String>>,
    #[serde(deserialize_with = "among")]
    tag: Option<Vec<String>>,
}

#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct ValuesQuery {
    page: Option<i64>,
    limit: Option<i64>,
    /// By default ascending when the classifier is asked for, else descending.
    #[serde(rename = "order[order_idx]")]
    #[param(rename = "order[order_idx]")]
    order: Option<Direction>,
    /// A JSON object of equalities on id, classifier, name, active.
    #[serde(rename = "where")]
    #[param(rename = "where")]
    filter: Option<String>,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct ValuesWhere {
    #[serde(deserialize_with = "among")]
    id: Option<Vec<i64>>,
    #[serde(deserialize_with = "among")]
    classifier: Option<Vec<i64>>,
    #[serde(deserialize_with = "among")]
    name: Option<Vec<String>>,
    #[serde(deserialize_with = "yes_or_no")]
    active: Option<bool>,
}

#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct ValuesV2Query {
    page: Option<i64>,
    limit: Option<i64>,
    #[serde(rename = "itemsPerPage")]
    #[param(rename = "itemsPerPage")]
    items_per_page: Option<i64>,
    #[serde(rename = "classifier.tag")]
    #[param(rename = "classifier.tag")]
    tag: Option<String>,
    #[serde(default, rename = "classifier.tag[]")]
    #[param(rename = "classifier.tag[]")]
    tags: Vec<String>,
    active: Option<bool>,
}

/// Classifiers.
#[utoipa::path(get, path = "/classifier", tag = "classifiers", params(ListQuery), responses(
    (status = 200, body = Items<ClassifierAnswer>), (status = 422, body = Violations)))]
async fn list(
    State(app): State<App>,
    actor: Actor,
    Query(query): Query<ListQuery>,
) -> Result<JsonAnswer<Items<ClassifierAnswer>>> {
    let page = page(query.page, query.limit, None, 100, 500)?;
    let asked: Where = filter(query.filter.as_deref())?;
    let filter = Filter {
        ids: asked.id,
        names: asked.name,
        tags: asked.tag,
    };
    let mut tx = db::begin(&app.pool, actor.scope()).await?;
    let listed = classifiers::list(&mut tx, &filter, page).await?;
    tx.commit().await?;
    Ok(JsonAnswer(
        Items::new(page, listed).map(ClassifierAnswer::from),
    ))
}

/// Values of classifiers.
#[utoipa::path(get, path = "/classifier-value", tag = "classifiers", params(ValuesQuery), responses(
    (status = 200, body = Items<ClassifierValueAnswer>), (status = 422, body = Violations)))]
async fn values(
    State(app): State<App>,
    actor: Actor,
    Query(query): Query<ValuesQuery>,
) -> Result<JsonAnswer<Items<ClassifierValueAnswer>>> {
    let page = page(query.page, query.limit, None, 100, 500)?;
    let asked: ValuesWhere = filter(query.filter.as_deref())?;
    let order = match query.order {
        Some(Direction::Asc) => ValueOrder::Ascending,
        Some(Direction::Desc) => ValueOrder::Descending,
        None if asked.classifier.is_some() => ValueOrder::Ascending,
        None => ValueOrder::Descending,
    };
    let filter = ValueFilter {
        ids: asked.id,
        classifier_ids: asked.classifier,
        tags: None,
        names: asked.name,
        active: asked.active,
    };
    let mut tx = db::begin(&app.pool, actor.scope()).await?;
    let listed = classifiers::values(&mut tx, &filter, order, page).await?;
    tx.commit().await?;
    Ok(JsonAnswer(
        Items::new(page, listed).map(ClassifierValueAnswer::from),
    ))
}

/// Values of classifiers by tag, in their order.
#[utoipa::path(get, path = "/v2/classifier_values", tag = "classifiers", params(ValuesV2Query), responses(
    (status = 200, body = Collection<ClassifierValueAnswer>, content_type = "application/ld+json"),
    (status = 422, body = Violations, content_type = "application/ld+json")))]
async fn values_v2(
    State(app): State<App>,
    actor: Actor,
    links: Links,
    Query(query): Query<ValuesV2Query>,
) -> Result<Ld<Collection<ClassifierValueAnswer>>> {
    let page = page(query.page, query.limit, query.items_per_page, 100, 100)?;
    let mut tags = query.tags;
    tags.extend(query.tag);
    let filter = ValueFilter {
        tags: (!tags.is_empty()).then_some(tags),
        active: query.active,
        ..ValueFilter::default()
    };
    let mut tx = db::begin(&app.pool, actor.scope()).await?;
    let listed = classifiers::values(&mut tx, &filter, ValueOrder::Ascending, page).await?;
    tx.commit().await?;
    Ok(Ld(
        links.collection(page, listed.map(ClassifierValueAnswer::from))
    ))
}
