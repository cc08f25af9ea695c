//! Lists on the wire: API Platform's collections for v2, items with page numbers for v1.
use axum::extract::FromRequestParts;
use axum::http::header::CONTENT_TYPE;
use axum::http::request::Parts;
use axum::response::{IntoResponse, Response};
use domain::page::{Listed, Page};
use serde::Serialize;
use utoipa::ToSchema;

use crate::error::{Error, Result};

pub const LD_JSON: &str = "application/ld+json; charset=utf-8";

/// A v2 resource: its type's name, the path of its collection, its id.
pub trait Resource: Serialize {
    const TYPE: &'static str;
    const PATH: &'static str;

    /// The last part of its IRI.
    fn key(&self) -> String;
}

/// A JSON-LD answer.
pub struct Ld<T>(pub T);

impl<T: Serialize> IntoResponse for Ld<T> {
    fn into_response(self) -> Response {
        match serde_json::to_vec(&self.0) {
            Ok(bytes) => ([(CONTENT_TYPE, LD_JSON)], bytes).into_response(),
            Err(error) => {
                Error::internal(format!("an answer cannot be written: {error}")).into_response()
            }
        }
    }
}

/// One resource with its IRI and type.
#[derive(Debug, Serialize, ToSchema)]
pub struct Item<T> {
    #[serde(rename = "@id")]
    pub iri: String,
    #[serde(rename = "@type")]
    pub kind: &'static str,
    #[serde(flatten)]
    pub value: T,
}

impl<T: Resource> Item<T> {
    pub fn new(value: T) -> Self {
        Self {
            iri: format!("{}/{}", T::PATH, value.key()),
            kind: T::TYPE,
            value,
        }
    }
}

/// A page of resources.
#[derive(Debug, Serialize, ToSchema)]
pub struct Collection<T> {
    #[serde(rename = "@context")]
    context: String,
    #[serde(rename = "@id")]
    iri: String,
    #[serde(rename = "@type")]
    kind: &'static str,
    #[serde(rename = "totalItems", skip_serializing_if = "Option::is_none")]
    total: Option<i64>,
    member: Vec<Item<T>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    view: Option<View>,
}

#[derive(Debug, Serialize, ToSchema)]
pub struct View {
    #[serde(rename = "@id")]
    iri: String,
    #[serde(rename = "@type")]
    kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    first: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    last: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    previous: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    next: Option<String>,
}

/// The path and query as asked, from which a collection makes its links.
pub struct Links {
    path: String,
    query: String,
}

impl<S: Send + Sync> FromRequestParts<S> for Links {
    type Rejection = std::convert::Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Self::Rejection> {
        Ok(Self {
            path: parts.uri.path().to_owned(),
            query: parts.uri.query().unwrap_or_default().to_owned(),
        })
    }
}

impl Links {
    /// The page as a collection; IRIs carry no `/api`.
    pub fn collection<T: Resource>(&self, page: Page, listed: Listed<T>) -> Collection<T> {
        let last = ((listed.total + page.limit - 1) / page.limit).max(1);
        let here = page.offset / page.limit + 1;
        let paged = listed.total > page.limit || here > 1;
        let view = (paged || !self.query.is_empty()).then(|| View {
            iri: if paged { self.page(here) } else { self.here() },
            kind: "PartialCollectionView",
            first: paged.then(|| self.page(1)),
            last: paged.then(|| self.page(last)),
            previous: (paged && here > 1).then(|| self.page((here - 1).min(last))),
            next: (paged && here < last).then(|| self.page(here + 1)),
        });
        Collection {
            context: format!("/contexts/{}", T::TYPE),
            iri: T::PATH.to_owned(),
            kind: "Collection",
            total: Some(listed.total),
            member: listed.rows.into_iter().map(Item::new).collect(),
            view,
        }
    }

    /// A list that is short enough to be one page always.
    pub fn whole<T: Resource>(&self, rows: Vec<T>) -> Collection<T> {
        Collection {
            context: format!("/contexts/{}", T::TYPE),
            iri: T::PATH.to_owned(),
            kind: "Collection",
            total: i64::try_from(rows.len()).ok(),
            member: rows.into_iter().map(Item::new).collect(),
            view: (!self.query.is_empty()).then(|| View {
                iri: self.here(),
                kind: "PartialCollectionView",
                first: None,
                last: None,
                previous: None,
                next: None,
            }),
        }
    }

    fn here(&self) -> String {
        format!("{}?{}", self.path(), self.query)
    }

    fn page(&self, number: i64) -> String {
        let others = self
            .query
            .split('&')
            .filter(|part| !part.is_empty() && !part.starts_with("page="));
        let mut parts: Vec<&str> = others.collect();
        let page = format!("page={number}");
        parts.push(&page);
        format!("{}?{}", self.path(), parts.join("&"))
    }

    fn path(&self) -> &str {
        self.path.strip_prefix("/api").unwrap_or(&self.path)
    }
}

/// A page of a list that is read on from where the last one ended; how many there are is another question.
#[derive(Debug, Serialize, ToSchema)]
pub struct Keyset<T> {
    #[serde(rename = "@context")]
    context: String,
    #[serde(rename = "@id")]
    iri: String,
    #[serde(rename = "@type")]
    kind: &'static str,
    member: Vec<Item<T>>,
    /// Goes into `after` for the next page; null on the last.
    next: Option<String>,
}

impl<T: Resource> Keyset<T> {
    /// Of rows of which one more than `limit` was read, if there are so many.
    pub fn new(mut rows: Vec<T>, limit: i64) -> Self {
        let limit = usize::try_from(limit).unwrap_or(usize::MAX);
        let more = rows.len() > limit;
        rows.truncate(limit);
        Self {
            context: format!("/contexts/{}", T::TYPE),
            iri: T::PATH.to_owned(),
            kind: "Collection",
            next: rows.last().filter(|_| more).map(Resource::key),
            member: rows.into_iter().map(Item::new).collect(),
        }
    }
}

/// How many rows a keyset page has.
pub fn keyset_limit(limit: Option<i64>, default: i64, most: i64) -> Result<i64> {
    Ok(page(None, limit, None, default, most)?.limit)
}

/// Where a keyset page begins: the key of the last row seen.
pub fn keyset_after(after: Option<&str>) -> Result<Option<i64>> {
    let key = |text: &str| {
        text.parse()
            .ok()
            .filter(|_| text.bytes().all(|byte| byte.is_ascii_digit()))
    };
    after
        .map(|text| key(text).ok_or_else(|| Error::invalid("after", "Jätkukoht on vigane.")))
        .transpose()
}

/// A v1 page.
#[derive(Debug, Serialize, ToSchema)]
pub struct Items<T> {
    pub items: Vec<T>,
    pub current_page: i64,
    pub total_item_count: i64,
    pub items_per_page: i64,
}

impl<T> Items<T> {
    pub fn new(page: Page, listed: Listed<T>) -> Self {
        Self {
            items: listed.rows,
            current_page: page.offset / page.limit + 1,
            total_item_count: listed.total,
            items_per_page: page.limit,
        }
    }

    /// The same page with each item turned to its wire form.
    pub fn map<U>(self, turn: impl FnMut(T) -> U) -> Items<U> {
        let Self {
            items,
            current_page,
            total_item_count,
            items_per_page,
        } = self;
        Items {
            items: items.into_iter().map(turn).collect(),
            current_page,
            total_item_count,
            items_per_page,
        }
    }
}

/// What the reader may do with an object; the reason (Estonian) where not.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct AllowedAction {
    pub name: &'static str,
    pub allowed: bool,
    pub reason: Option<String>,
}

impl AllowedAction {
    /// Allowed unless there is a reason against it.
    pub fn new(name: &'static str, reason: Option<&str>) -> Self {
        Self {
            name,
            allowed: reason.is_none(),
            reason: reason.map(str::to_owned),
        }
    }
}

/// The page asked for: `limit` wins over `itemsPerPage`.
pub fn page(
    page: Option<i64>,
    limit: Option<i64>,
    items_per_page: Option<i64>,
    default: i64,
    most: i64,
) -> Result<Page> {
    Ok(Page::new(
        page.unwrap_or(1),
        limit.or(items_per_page).unwrap_or(default),
        most,
    )?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, Serialize)]
    struct Row {
        id: i64,
    }

    impl Resource for Row {
        const TYPE: &'static str = "Problem";
        const PATH: &'static str = "/v2/problems";

        fn key(&self) -> String {
            self.id.to_string()
        }
    }

    fn made(query: &str, page: i64, limit: i64, total: i64) -> serde_json::Value {
        let links = Links {
            path: "/api/v2/problems".into(),
            query: query.into(),
        };
        let listed = Listed {
            rows: vec![Row { id: 11 }],
            total,
        };
        serde_json::to_value(links.collection(Page::new(page, limit, 100).unwrap(), listed))
            .unwrap()
    }

    #[test]
    fn links_pages_as_api_platform_does() {
        let body = made("case=7&page=2&limit=10", 2, 10, 23);
        assert_eq!(
            body,
            serde_json::json!({
                "@context": "/contexts/Problem", "@id": "/v2/problems", "@type": "Collection", "totalItems": 23,
                "member": [{"@id": "/v2/problems/11", "@type": "Problem", "id": 11}],
                "view": {"@id": "/v2/problems?case=7&limit=10&page=2", "@type": "PartialCollectionView",
                    "first": "/v2/problems?case=7&limit=10&page=1", "last": "/v2/problems?case=7&limit=10&page=3",
                    "previous": "/v2/problems?case=7&limit=10&page=1", "next": "/v2/problems?case=7&limit=10&page=3"}
            })
        );
        assert_eq!(made("page=3&limit=10", 3, 10, 23)["view"].get("next"), None);
        assert_eq!(made("", 1, 30, 23).get("view"), None);
        assert_eq!(
            made("case=7", 1, 30, 23)["view"],
            serde_json::json!({"@id": "/v2/problems?case=7", "@type": "PartialCollectionView"})
        );
    }
}
