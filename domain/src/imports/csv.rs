//! Cuts text into rows and cells, piece by piece with bounded memory, and says where quotes or limits break.
//! Written by hand because the csv crate forgives unbalanced quotes and has no limit on a cell.

/// Bytes of one cell, at most.
pub const CELL_BYTES: usize = 32 * 1024;
/// Cells of one row, at most.
pub const COLUMNS: usize = 200;
/// Rows of a file, at most.
pub const ROWS: u32 = 500_000;
/// Bytes of the header row, at most: it is held until its delimiter is known.
const HEADER_BYTES: usize = 64 * 1024;

/// From here on the rows cannot be trusted; `row` is where it went wrong, the header being row 1.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Broken {
    pub row: u32,
    pub why: Why,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Why {
    OpenQuote,
    TextAfterQuote,
    LongCell,
    ManyColumns,
    ManyRows,
    LongHeader,
}

impl Why {
    /// What the user reads.
    pub fn message(self) -> String {
        match self {
            Self::OpenQuote => "Jutumärk jäi sulgemata; siit edasi ei saa faili lugeda.".into(),
            Self::TextAfterQuote => {
                "Jutumärgid on paigast ära: sulgevale jutumärgile järgneb tekst. Siit edasi ei saa faili lugeda.".into()
            }
            Self::LongCell => "Lahter on pikem kui 32 kB.".into(),
            Self::ManyColumns => format!("Real on üle {COLUMNS} lahtri."),
            Self::ManyRows => format!("Failis on üle {ROWS} rea. Tükeldage fail väiksemateks osadeks."),
            Self::LongHeader => "Päiserida on pikem kui 64 kB.".into(),
        }
    }
}

/// The cells of one row.
pub struct Record<'a> {
    text: &'a str,
    ends: &'a [usize],
}

impl<'a> Record<'a> {
    pub fn width(&self) -> usize {
        self.ends.len()
    }

    /// None past the last cell.
    pub fn get(&self, at: usize) -> Option<&'a str> {
        let end = *self.ends.get(at)?;
        let start = if at == 0 { 0 } else { self.ends[at - 1] };
        self.text.get(start..end)
    }

    pub fn cells(&self) -> impl Iterator<Item = &'a str> + '_ {
        (0..self.width()).filter_map(|at| self.get(at))
    }
}

#[derive(Clone, Copy, PartialEq)]
enum State {
    RowStart,
    CellStart,
    Plain,
    Quoted,
    QuoteInQuoted,
}

/// Takes pieces of text, gives whole rows. Blank lines count as rows but are not given.
pub struct Rows {
    delimiter: Option<u8>,
    header: Vec<u8>,
    state: State,
    skip_line_feed: bool,
    row: u32,
    quote_row: u32,
    lines: u32,
    cells: Vec<u8>,
    ends: Vec<usize>,
}

impl Default for Rows {
    fn default() -> Self {
        Self {
            delimiter: None,
            header: Vec::new(),
            state: State::RowStart,
            skip_line_feed: false,
            row: 1,
            quote_row: 0,
            lines: 0,
            cells: Vec::new(),
            ends: Vec::new(),
        }
    }
}

impl Rows {
    /// Reads on; `take` gets the number of each whole row and its cells.
    pub fn push(&mut self, text: &str, mut take: impl FnMut(u32, &Record)) -> Result<(), Broken> {
        if self.delimiter.is_some() {
            return self.read(text.as_bytes(), &mut take);
        }
        self.header.extend_from_slice(text.as_bytes());
        match first_line(&self.header) {
            Some(_) => self.begin(&mut take),
            None if self.header.len() > HEADER_BYTES => Err(self.broken(Why::LongHeader)),
            None => Ok(()),
        }
    }

    /// The row being read.
    pub fn row(&self) -> u32 {
        self.row
    }

    /// The file is over: gives the last row when it has no line end.
    pub fn finish(&mut self, mut take: impl FnMut(u32, &Record)) -> Result<(), Broken> {
        if self.delimiter.is_none() {
            self.begin(&mut take)?;
        }
        match self.state {
            State::RowStart => Ok(()),
            State::Quoted => Err(Broken {
                row: self.quote_row,
                why: Why::OpenQuote,
            }),
            _ => {
                self.end_cell()?;
                self.end_row(&mut take)
            }
        }
    }

    fn begin(&mut self, take: &mut impl FnMut(u32, &Record)) -> Result<(), Broken> {
        let held = std::mem::take(&mut self.header);
        let line = first_line(&held).unwrap_or(&held);
        if line.len() > HEADER_BYTES {
            return Err(self.broken(Why::LongHeader));
        }
        self.delimiter = Some(sniff(line));
        self.read(&held, take)
    }

    fn broken(&self, why: Why) -> Broken {
        Broken { row: self.row, why }
    }

    fn read(&mut self, bytes: &[u8], take: &mut impl FnMut(u32, &Record)) -> Result<(), Broken> {
        let delimiter = self.delimiter.unwrap_or(b';');
        let mut at = 0;
        while at < bytes.len() {
            let byte = bytes[at];
            if std::mem::take(&mut self.skip_line_feed) && byte == b'\n' {
                at += 1;
                continue;
            }
            match self.state {
                State::Quoted => {
                    let run = run_length(&bytes[at..], |b| b == b'"');
                    self.extend(&bytes[at..at + run])?;
                    at += run;
                    if at < bytes.len() {
                        self.state = State::QuoteInQuoted;
                        at += 1;
                    }
                    continue;
                }
                State::QuoteInQuoted if byte == b'"' => {
                    self.extend(b"\"")?;
                    self.state = State::Quoted;
                }
                State::RowStart | State::CellStart if byte == b'"' => {
                    self.quote_row = self.row;
                    self.state = State::Quoted;
                }
                _ if byte == delimiter => {
                    self.end_cell()?;
                    self.state = State::CellStart;
                }
                _ if byte == b'\n' || byte == b'\r' => {
                    self.skip_line_feed = byte == b'\r';
                    if self.state != State::RowStart {
                        self.end_cell()?;
                    }
                    self.end_row(take)?;
                }
                State::QuoteInQuoted => {
                    return Err(Broken {
                        row: self.quote_row,
                        why: Why::TextAfterQuote,
                    });
                }
                State::RowStart | State::CellStart | State::Plain => {
                    let run =
                        run_length(&bytes[at..], |b| b == delimiter || b == b'\n' || b == b'\r');
                    self.extend(&bytes[at..at + run])?;
                    self.state = State::Plain;
                    at += run;
                    continue;
                }
            }
            at += 1;
        }
        Ok(())
    }

    fn extend(&mut self, bytes: &[u8]) -> Result<(), Broken> {
        let start = self.ends.last().copied().unwrap_or(0);
        if self.cells.len() - start + bytes.len() > CELL_BYTES {
            // A cell this long is nearly always a quote that was never closed.
            let (row, why) = match self.state {
                State::Quoted | State::QuoteInQuoted => (self.quote_row, Why::OpenQuote),
                _ => (self.row, Why::LongCell),
            };
            return Err(Broken { row, why });
        }
        self.cells.extend_from_slice(bytes);
        Ok(())
    }

    fn end_cell(&mut self) -> Result<(), Broken> {
        if self.ends.len() >= COLUMNS {
            return Err(self.broken(Why::ManyColumns));
        }
        self.ends.push(self.cells.len());
        Ok(())
    }

    fn end_row(&mut self, take: &mut impl FnMut(u32, &Record)) -> Result<(), Broken> {
        if self.lines > ROWS {
            return Err(self.broken(Why::ManyRows));
        }
        let text = std::str::from_utf8(&self.cells).unwrap_or_default();
        if !text.trim().is_empty() {
            let record = Record {
                text,
                ends: &self.ends,
            };
            take(self.row, &record);
            self.lines += 1;
        }
        self.cells.clear();
        self.ends.clear();
        self.state = State::RowStart;
        self.row = self.row.saturating_add(1);
        Ok(())
    }
}

fn run_length(bytes: &[u8], stop: impl Fn(u8) -> bool) -> usize {
    bytes.iter().position(|b| stop(*b)).unwrap_or(bytes.len())
}

/// The first line that holds anything, without its end; None while its end has not come.
fn first_line(bytes: &[u8]) -> Option<&[u8]> {
    let mut quoted = false;
    let start = bytes.iter().position(|b| !b"\r\n".contains(b))?;
    let end = bytes[start..].iter().position(|b| {
        quoted ^= *b == b'"';
        !quoted && b"\r\n".contains(b)
    })?;
    Some(&bytes[start..start + end])
}

/// The delimiter that stands most often outside quotes in the header.
fn sniff(header: &[u8]) -> u8 {
    let mut quoted = false;
    let mut counts = [(0_usize, b';'), (0, b'\t'), (0, b',')];
    for byte in header {
        quoted ^= *byte == b'"';
        if let Some((count, _)) = counts.iter_mut().find(|(_, d)| d == byte && !quoted) {
            *count += 1;
        }
    }
    let most = counts.iter().map(|(count, _)| *count).max().unwrap_or(0);
    counts
        .iter()
        .find(|(count, _)| *count == most)
        .map_or(b';', |(_, delimiter)| *delimiter)
}

#[cfg(test)]
mod tests;
