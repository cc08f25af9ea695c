//! Query parameters: each known, each once (except lists, `key[]`), whole numbers written as such.
use std::collections::BTreeMap;

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use serde::de::value::{MapDeserializer, SeqDeserializer};
use serde::de::{DeserializeOwned, Deserializer, Error as _, IntoDeserializer, Visitor};
use serde::forward_to_deserialize_any;

use super::violation;
use crate::error::Error;

/// The parsed query; `T` carries `deny_unknown_fields`, lists are fields named `key[]`.
pub struct Query<T>(pub T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequestParts<S> for Query<T> {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Error> {
        parse(parts.uri.query().unwrap_or_default()).map(Query)
    }
}

/// Parses the raw text after `?`.
pub fn parse<T: DeserializeOwned>(raw: &str) -> Result<T, Error> {
    let mut values: BTreeMap<String, Text> = BTreeMap::new();
    for part in raw.split('&').filter(|part| !part.is_empty()) {
        let (key, value) = part.split_once('=').unwrap_or((part, ""));
        let (key, value) = (decode(key)?, decode(value)?);
        let text = values.entry(key.clone()).or_default();
        if !text.0.is_empty() && !key.ends_with("[]") {
            return Err(Error::invalid(key, "Parameeter on korduv."));
        }
        text.0.push(value);
    }
    let source = MapDeserializer::new(values.into_iter());
    serde_path_to_error::deserialize(source).map_err(
        |error: serde_path_to_error::Error<serde::de::value::Error>| {
            violation(&error.path().to_string(), &error.inner().to_string())
        },
    )
}

fn decode(text: &str) -> Result<String, Error> {
    let spaced = text.replace('+', " ");
    let decoded = percent_encoding::percent_decode_str(&spaced).decode_utf8();
    match decoded {
        Ok(text) if !text.contains('\0') => Ok(text.into_owned()),
        _ => Err(Error::invalid("", "Tekstis on lubamatu märk.")),
    }
}

/// The values of one parameter, as written.
#[derive(Default)]
struct Text(Vec<String>);

impl Text {
    fn one(self) -> Result<String, serde::de::value::Error> {
        self.0
            .into_iter()
            .next()
            .ok_or_else(|| serde::de::value::Error::custom("no value"))
    }

    fn whole<N: std::str::FromStr>(self) -> Result<N, serde::de::value::Error> {
        let text = self.one()?;
        let digits = text.strip_prefix('-').unwrap_or(&text);
        let plain = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
        text.parse()
            .ok()
            .filter(|_| plain)
            .ok_or_else(|| serde::de::value::Error::custom("not a whole number"))
    }
}

impl IntoDeserializer<'_> for Text {
    type Deserializer = Self;

    fn into_deserializer(self) -> Self {
        self
    }
}

impl<'de> Deserializer<'de> for Text {
    type Error = serde::de::value::Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Self::Error> {
        visitor.visit_string(self.one()?)
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Self::Error> {
        match self.one()?.as_str() {
            "1" | "true" | "" => visitor.visit_bool(true),
            "0" | "false" => visitor.visit_bool(false),
            _ => Err(Self::Error::custom("not a yes or no")),
        }
    }

    fn deserialize_i64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Self::Error> {
        visitor.visit_i64(self.whole()?)
    }

    fn deserialize_i32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Self::Error> {
        visitor.visit_i32(self.whole()?)
    }

    fn deserialize_i16<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Self::Error> {
        visitor.visit_i16(self.whole()?)
    }

    fn deserialize_u32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Self::Error> {
        visitor.visit_u32(self.whole()?)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Self::Error> {
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, Self::Error> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Self::Error> {
        visitor.visit_seq(SeqDeserializer::new(
            self.0.into_iter().map(|value| Self(vec![value])),
        ))
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Self::Error> {
        visitor.visit_enum(self.one()?.into_deserializer())
    }

    forward_to_deserialize_any! {
        i8 i128 u8 u16 u64 u128 f32 f64 char str string bytes byte_buf unit unit_struct tuple tuple_struct map struct
        identifier ignored_any
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, serde::Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Asked {
        page: Option<i64>,
        #[serde(default, rename = "type[]")]
        types: Vec<i16>,
        #[serde(rename = "order[idx]")]
        order: Option<String>,
        active: Option<bool>,
    }

    fn sketch(raw: &str) -> String {
        parse::<Asked>(raw).map_or_else(
            |error| error.sketch(),
            |asked| {
                format!(
                    "{:?} {:?} {:?} {:?}",
                    asked.page, asked.types, asked.order, asked.active
                )
            },
        )
    }

    #[test]
    fn takes_known_parameters_once() {
        for (raw, expected) in [
            ("", "None [] None None"),
            (
                "page=2&type[]=1&type%5B%5D=2&order[idx]=asc&active=1",
                "Some(2) [1, 2] Some(\"asc\") Some(true)",
            ),
            ("page=1&page=2", "422 page"),
            ("pages=1", "422 pages"),
            ("page=", "422 page"),
            ("page=1e3", "422 page"),
            ("page=+1", "422 page"),
            ("page=1%20", "422 page"),
            ("page=9223372036854775808", "422 page"),
            ("active=maybe", "422 active"),
            ("order[idx]=%00", "422 "),
            ("order[idx]=%ff", "422 "),
        ] {
            assert_eq!(sketch(raw), expected, "{raw}");
        }
    }
}
