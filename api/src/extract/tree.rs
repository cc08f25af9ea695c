//! A JSON document as a tree, refusing repeated keys; serde_json's own limit of depth (128) holds.
use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};

pub struct Tree(pub Value);

impl<'de> Deserialize<'de> for Tree {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Build).map(Tree)
    }
}

struct Build;

impl<'de> Visitor<'de> for Build {
    type Value = Value;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E: Error>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Value, E> {
        Ok(Number::from_f64(value).map_or(Value::Null, Value::Number))
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_string<E: Error>(self, value: String) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut access: A) -> Result<Value, A::Error> {
        let mut list = Vec::new();
        while let Some(Tree(value)) = access.next_element()? {
            list.push(value);
        }
        Ok(Value::Array(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<Value, A::Error> {
        let mut map = Map::new();
        while let Some(key) = access.next_key::<String>()? {
            let Tree(value) = access.next_value()?;
            if map.insert(key, value).is_some() {
                return Err(A::Error::custom("repeated key"));
            }
        }
        Ok(Value::Object(map))
    }
}

/// Where a text holds the character NUL, which PostgreSQL cannot keep. A password is hashed, never kept: it may.
pub fn nul(value: &Value) -> Option<String> {
    fn find(value: &Value, path: &mut Vec<String>) -> bool {
        match value {
            Value::String(text) => text.contains('\0'),
            Value::Array(list) => list
                .iter()
                .enumerate()
                .any(|(i, item)| step(i.to_string(), item, path)),
            Value::Object(map) => {
                let top = path.is_empty();
                map.iter()
                    .filter(|(key, _)| !top || *key != "password")
                    .any(|(key, item)| key.contains('\0') || step(key.clone(), item, path))
            }
            _ => false,
        }
    }
    fn step(name: String, item: &Value, path: &mut Vec<String>) -> bool {
        path.push(name);
        let found = find(item, path);
        if !found {
            path.pop();
        }
        found
    }
    let mut path = Vec::new();
    find(value, &mut path).then(|| path.join("."))
}
