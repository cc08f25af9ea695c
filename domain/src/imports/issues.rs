//! What is wrong with a file, row by row: errors stop the import, warnings do not.
use std::borrow::Cow;

/// How many of each are kept; the rest is only counted.
pub const KEPT: usize = 10_000;

/// One thing wrong. The header is row 1.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Issue {
    pub row: u32,
    pub case_number: Option<String>,
    pub column: Option<Cow<'static, str>>,
    pub message: String,
}

/// The kept ones of one severity, and how many there were.
#[derive(Debug, Clone, Default)]
pub struct Listing {
    pub kept: Vec<Issue>,
    pub count: i32,
}

impl Listing {
    pub fn add(&mut self, issue: Issue) {
        self.count = self.count.saturating_add(1);
        if self.kept.len() < KEPT {
            self.kept.push(issue);
        }
    }
}

#[derive(Debug, Clone, Default)]
pub struct Issues {
    pub errors: Listing,
    pub warnings: Listing,
}

impl Issues {
    /// In the order of the file.
    pub fn sort(&mut self) {
        self.errors.kept.sort_by_key(|issue| issue.row);
        self.warnings.kept.sort_by_key(|issue| issue.row);
    }

    /// A file that could not be read from this row on.
    pub fn whole_file(row: u32, message: impl Into<String>) -> Self {
        let mut issues = Self::default();
        issues.errors.add(Issue {
            row,
            case_number: None,
            column: None,
            message: message.into(),
        });
        issues
    }
}
