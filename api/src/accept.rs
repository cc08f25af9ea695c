//! What kind of answer a call wants: the header `Accept`, by falling `q` and then by its order.
use axum::http::HeaderMap;
use axum::http::header::ACCEPT;

const JSON: [&str; 5] = [
    "*/*",
    "application/*",
    "application/json",
    "application/ld+json",
    "application/problem+json",
];
const CSV: [&str; 2] = ["text/csv", "text/*"];

/// The wanted media types in lower case; without the header anything is.
fn wanted(headers: &HeaderMap) -> Vec<String> {
    let lines = headers.get_all(ACCEPT).iter();
    let mut found: Vec<(f32, String)> = lines
        .flat_map(|line| line.to_str().unwrap_or_default().split(','))
        .filter_map(|range| {
            let mut parts = range.split(';').map(str::trim);
            let name = parts.next().filter(|name| !name.is_empty())?;
            let weight = parts.find_map(|part| {
                let (key, value) = part.split_once('=')?;
                key.trim().eq_ignore_ascii_case("q").then_some(value.trim())
            });
            let weight = weight.map_or(Some(1.0), |value| value.parse().ok())?;
            (weight > 0.0).then(|| (weight, name.to_ascii_lowercase()))
        })
        .collect();
    found.sort_by(|(a, _), (b, _)| b.total_cmp(a));
    if found.is_empty() && headers.get_all(ACCEPT).iter().all(|line| line.is_empty()) {
        return vec!["*/*".into()];
    }
    found.into_iter().map(|(_, name)| name).collect()
}

/// Whether any of our answers would do.
pub fn is_acceptable(headers: &HeaderMap) -> bool {
    wanted(headers)
        .iter()
        .any(|name| JSON.contains(&name.as_str()) || CSV.contains(&name.as_str()))
}

/// Whether CSV is wanted before JSON, on a route that has both.
pub fn wants_csv(headers: &HeaderMap) -> bool {
    let wanted = wanted(headers);
    let first = wanted.iter().find_map(|name| {
        if CSV.contains(&name.as_str()) {
            Some(true)
        } else {
            JSON.contains(&name.as_str()).then_some(false)
        }
    });
    first == Some(true)
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

    use super::*;

    #[test]
    fn weights_case_and_order_decide() {
        for (accept, acceptable, csv) in [
            ("", true, false),
            ("*/*", true, false),
            ("text/csv", true, true),
            ("TEXT/CSV", true, true),
            ("text/csv;q=0", false, false),
            ("text/csv;q=0, */*", true, false),
            ("application/json;q=0.1, text/csv", true, true),
            (
                "text/csv;charset=utf-8;Q=0.2,application/ld+json;q=0.3",
                true,
                false,
            ),
            ("application/ld+json, text/csv", true, false),
            ("image/png, text/html", false, false),
            ("text/csv;q=viga", false, false),
        ] {
            let headers = HeaderMap::from_iter([(ACCEPT, HeaderValue::from_static(accept))]);
            assert_eq!(
                (is_acceptable(&headers), wants_csv(&headers)),
                (acceptable, csv),
                "{accept}"
            );
        }
        assert!(is_acceptable(&HeaderMap::new()));
    }
}
