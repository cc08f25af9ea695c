//! The columns of both kinds of files, and where they stand in this one.
use unicode_normalization::UnicodeNormalization;

use super::csv::Record;
use super::issues::{Issue, Issues};
use super::values::shortened;

/// Which program wrote the file: it decides the titles.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Source {
    Taavi,
    Etaitur,
}

impl Source {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Taavi => "taavi",
            Self::Etaitur => "etaitur",
        }
    }

    pub fn parse(name: &str) -> Option<Self> {
        [Self::Taavi, Self::Etaitur]
            .into_iter()
            .find(|source| source.as_str() == name)
    }
}

macro_rules! fields {
    ($($field:ident $taavi:literal $etaitur:literal $required:literal),+ $(,)?) => {
        /// What a column holds.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum Field { $($field),+ }

        impl Field {
            pub const ALL: &'static [Self] = &[$(Self::$field),+];

            /// The column's title in a file of that source.
            pub fn title(self, source: Source) -> &'static str {
                match (self, source) {
                    $((Self::$field, Source::Taavi) => $taavi, (Self::$field, Source::Etaitur) => $etaitur),+
                }
            }

            /// Whether a file without the column is refused.
            pub fn is_required(self) -> bool {
                match self { $(Self::$field => $required),+ }
            }
        }
    };
}

fields! {
    Number "Toimiku number" "toimik_nr" true,
    Statement "Avalduse number" "avaldus_nr" false,
    Opened "Avamise kuupäev" "avatud" true,
    Status "Staatus" "staatus" true,
    Closed "Lõpetamise kuupäev" "lopetatud" false,
    CloseBasis "Lõpetamise alus" "lopetamise_alus" false,
    Stopped "Peatamise kuupäev" "peatatud" false,
    StopBasis "Peatamise alus" "peatamise_alus" false,
    ClaimantType "Sissenõudja liik" "sn_liik" true,
    ClaimantName "Sissenõudja nimi" "sn_nimi" true,
    ClaimantCode "Sissenõudja kood" "sn_kood" false,
    DebtorType "Võlgniku liik" "v_liik" true,
    DebtorName "Võlgniku nimi" "v_nimi" true,
    DebtorCode "Võlgniku kood" "v_kood" false,
    DebtorIban "Võlgniku konto" "v_konto" false,
    DebtorAddress "Võlgniku aadress" "v_aadress" false,
    ClaimType "Nõude liik" "noude_liik" true,
    Claim "Põhinõue" "pohinoue" true,
    Periodic "Perioodiline summa" "perioodiline" false,
    Interest "Viivis" "viivis" false,
    StartFee "Menetluse alustamise tasu" "alustamise_tasu" false,
    IssuerFee "Põhitasu" "pohitasu" false,
    Costs "Täitekulud" "taitekulud" false,
    Received "Laekunud" "laekunud" false,
    Reference "Viitenumber" "viitenumber" false,
    DecisionNumber "Lahendi number" "lahend_nr" false,
    DecisionDate "Lahendi kuupäev" "lahend_kp" false,
    Resolver "Lahendi tegija" "lahendi_tegija" false,
    Delivery "Kättetoimetamise kuupäev" "katte_kp" false,
    Voluntary "Vabatahtliku täitmise kuupäev" "vabatahtlik_kp" false,
}

/// Where each column stands, and how many cells a row has.
pub struct Layout {
    pub source: Source,
    pub width: usize,
    at: Vec<Option<usize>>,
}

impl Layout {
    /// Reads the header row; what is wrong with it goes to `issues`, and then there is no layout.
    pub fn read(source: Source, row: u32, header: &Record, issues: &mut Issues) -> Option<Self> {
        let titles: Vec<String> = header.cells().map(key).collect();
        let before = issues.errors.count;
        let mut add = |column: String, message: &str, is_error: bool| {
            let issue = Issue {
                row,
                case_number: None,
                column: Some(column.into()),
                message: message.into(),
            };
            if is_error {
                issues.errors.add(issue);
            } else {
                issues.warnings.add(issue);
            }
        };
        let other = match source {
            Source::Taavi => Source::Etaitur,
            Source::Etaitur => Source::Taavi,
        };
        let has = |source: Source| titles.contains(&key(Field::Number.title(source)));
        if !has(source) && has(other) {
            let message = format!(
                "Päis on tüübi \"{}\" oma; impordi tüübiks on valitud \"{}\".",
                other.as_str(),
                source.as_str()
            );
            add(Field::Number.title(source).into(), &message, true);
            return None;
        }
        let mut at = Vec::with_capacity(Field::ALL.len());
        for field in Field::ALL {
            let title = field.title(source);
            let mut places = titles.iter().enumerate().filter(|(_, t)| **t == key(title));
            let place = places.next().map(|(index, _)| index);
            if place.is_none() && field.is_required() {
                add(title.into(), &format!("Veerg \"{title}\" puudub."), true);
            }
            if places.next().is_some() {
                add(title.into(), "Veerg on failis mitu korda.", true);
            }
            at.push(place);
        }
        for (index, title) in titles.iter().enumerate() {
            if !title.is_empty() && !at.contains(&Some(index)) && is_unknown(title, source) {
                let shown = header.get(index).unwrap_or_default().trim();
                add(
                    shortened(shown),
                    "Tundmatu veerg; seda ei imporditud.",
                    false,
                );
            }
        }
        let layout = Self {
            source,
            width: header.width(),
            at,
        };
        (issues.errors.count == before).then_some(layout)
    }

    /// The trimmed cell of this field; empty when the file has no such column.
    pub fn cell<'a>(&self, record: &Record<'a>, field: Field) -> &'a str {
        self.at[field as usize]
            .and_then(|at| record.get(at))
            .unwrap_or_default()
            .trim()
    }
}

fn is_unknown(title: &str, source: Source) -> bool {
    !Field::ALL.iter().any(|f| key(f.title(source)) == title)
}

/// Titles are compared trimmed, in lower case, composed.
fn key(title: &str) -> String {
    let words: Vec<&str> = title.split_whitespace().collect();
    words.join(" ").to_lowercase().nfc().collect()
}

#[cfg(test)]
mod tests {
    use super::super::csv::Rows;
    use super::*;

    fn read(source: Source, header: &str) -> (Option<Layout>, Issues) {
        let mut issues = Issues::default();
        let mut layout = None;
        let mut rows = Rows::default();
        let mut take = |row: u32, record: &Record| {
            layout = Layout::read(source, row, record, &mut issues);
        };
        rows.push(&format!("{header}\n"), &mut take).unwrap();
        (layout, issues)
    }

    fn whole(source: Source) -> Vec<&'static str> {
        Field::ALL.iter().map(|f| f.title(source)).collect()
    }

    #[test]
    fn finds_columns_in_any_order_and_case() {
        for source in [Source::Taavi, Source::Etaitur] {
            let mut titles = whole(source);
            titles.reverse();
            let (layout, issues) = read(source, &titles.join(" ;").to_uppercase());
            assert_eq!(issues.errors.count + issues.warnings.count, 0);
            assert_eq!(layout.unwrap().at[0], Some(titles.len() - 1));
        }
    }

    #[test]
    fn names_what_is_missing() {
        let (layout, issues) = read(Source::Taavi, "Staatus;Muu;Staatus");
        assert!(layout.is_none());
        let columns: Vec<_> = issues
            .errors
            .kept
            .iter()
            .filter_map(|i| i.column.as_deref())
            .collect();
        assert_eq!(
            columns,
            [
                "Toimiku number",
                "Avamise kuupäev",
                "Staatus",
                "Sissenõudja liik",
                "Sissenõudja nimi",
                "Võlgniku liik",
                "Võlgniku nimi",
                "Nõude liik",
                "Põhinõue"
            ]
        );
        assert_eq!(issues.warnings.kept[0].column.as_deref(), Some("Muu"));
        let (layout, issues) = read(Source::Taavi, &whole(Source::Etaitur).join(","));
        assert!(layout.is_none());
        assert!(issues.errors.kept[0].message.contains("etaitur"));
    }
}
