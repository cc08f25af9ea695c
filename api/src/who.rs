//! People and bureaus as other things name them on the wire.
use domain::Role;
use domain::actor::{Allowed, Person};
use domain::bureaus::BureauName;
use serde::Serialize;
use utoipa::ToSchema;

use crate::collection::AllowedAction;

/// Who did something; role and bureau where they are on record.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PersonAnswer {
    pub id: i64,
    pub name: String,
    #[schema(value_type = Option<String>)]
    pub role: Option<Role>,
    pub tenant_code: Option<String>,
}

impl PersonAnswer {
    pub fn new(person: &Person) -> Self {
        Self {
            id: person.id.0,
            name: person.name.clone(),
            role: None,
            tenant_code: None,
        }
    }
}

#[derive(Debug, Serialize, ToSchema)]
pub struct BureauNameAnswer {
    pub id: i64,
    pub code: String,
    pub name: String,
}

impl From<&BureauName> for BureauNameAnswer {
    fn from(bureau: &BureauName) -> Self {
        Self {
            id: bureau.id.0,
            code: bureau.code.clone(),
            name: bureau.name.clone(),
        }
    }
}

pub fn allowed(rights: Vec<Allowed>) -> Vec<AllowedAction> {
    rights
        .into_iter()
        .map(|right| AllowedAction::new(right.name, right.reason))
        .collect()
}
