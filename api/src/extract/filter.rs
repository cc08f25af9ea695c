//! The `where` parameter of v1: a JSON object of equalities; a list means one of, null means not set.
use serde::de::{Deserialize, DeserializeOwned, Deserializer, Error as _};
use serde_json::Value;

use super::body::parse;
use crate::error::Error;

const LONGEST: usize = 10_000;

/// Parses `where` into `T`, whose fields are those that may be asked; all else is 422.
pub fn filter<T: DeserializeOwned + Default>(text: Option<&str>) -> Result<T, Error> {
    match text {
        None => Ok(T::default()),
        Some(text) if text.len() > LONGEST => {
            Err(Error::invalid("where", "Tingimus on liiga pikk."))
        }
        Some(text) => parse(text.as_bytes()).map_err(|error| error.within("where")),
    }
}

/// For a field of `T`: one value, a list of values, or null, which matches no row of a column that is never null.
pub fn among<'de, T: DeserializeOwned, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<Vec<T>>, D::Error> {
    let list = match Value::deserialize(deserializer)? {
        Value::Null => Vec::new(),
        Value::Array(list) => list,
        one => vec![one],
    };
    let values = list
        .into_iter()
        .map(|value| serde_json::from_value(value).map_err(D::Error::custom));
    values.collect::<Result<Vec<T>, _>>().map(Some)
}

/// For a yes or no: `true`, `false`, 1 or 0.
pub fn yes_or_no<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<bool>, D::Error> {
    match Value::deserialize(deserializer)? {
        Value::Bool(value) => Ok(Some(value)),
        Value::Number(number) if number.as_i64() == Some(1) => Ok(Some(true)),
        Value::Number(number) if number.as_i64() == Some(0) => Ok(Some(false)),
        _ => Err(D::Error::custom("not a yes or no")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, Default, PartialEq, serde::Deserialize)]
    #[serde(deny_unknown_fields, default)]
    struct Asked {
        #[serde(deserialize_with = "among")]
        id: Option<Vec<i64>>,
        #[serde(deserialize_with = "yes_or_no")]
        active: Option<bool>,
    }

    fn sketch(text: &str) -> String {
        filter::<Asked>(Some(text)).map_or_else(
            |error| error.sketch(),
            |asked| format!("{:?} {:?}", asked.id, asked.active),
        )
    }

    #[test]
    fn takes_equality_and_lists_of_known_fields() {
        for (text, expected) in [
            ("{}", "None None"),
            (r#"{"id":7,"active":1}"#, "Some([7]) Some(true)"),
            (r#"{"id":[1,2]}"#, "Some([1, 2]) None"),
            (r#"{"id":null}"#, "Some([]) None"),
            (r#"{"id":{"$ne":null}}"#, "422 where.id"),
            (r#"{"id":"7"}"#, "422 where.id"),
            (r#"{"id":7,"id":8}"#, "422 where"),
            (r#"{"password_hash":1}"#, "422 where.password_hash"),
            (r#"["id"]"#, "422 where"),
            ("x", "422 where"),
        ] {
            assert_eq!(sketch(text), expected, "{text}");
        }
        assert_eq!(
            sketch(&format!("{{\"id\":[{}1]}}", "1,".repeat(10_000))),
            "422 where"
        );
    }
}
