//! Arguments that several commands share.

use std::ops::{Bound, RangeBounds, RangeInclusive};

use clap::Args;

use super::failure::Failure;
use crate::game::{Capture, Position, Rules, Variant};
use crate::sys::machine::processors;
use crate::sys::names::shortened;
use crate::view::palette::Theme;
use crate::view::terminal::Terminal;

/// The numbers of ports.
pub(super) const PORTS: RangeInclusive<i128> = 1..=65_535;

/// The parser of every option that takes a number, which must be in `range`.
pub(super) fn number<T: TryFrom<i128> + 'static>(
    range: impl RangeBounds<i128> + Clone + Send + Sync + 'static,
) -> impl Fn(&str) -> Result<T, String> + Clone + Send + Sync + 'static {
    move |text| {
        let number = text.parse().ok().filter(|number| range.contains(number));
        let number = number.and_then(|number| T::try_from(number).ok());
        number.ok_or_else(|| {
            let expected = match (range.start_bound(), range.end_bound()) {
                (Bound::Included(min), Bound::Included(max)) => {
                    format!(" from {min} to {max}")
                }
                (Bound::Included(min), _) => format!(" from {min}"),
                _ => String::new(),
            };
            format!("expected a number{expected}, got '{}'", shortened(text))
        })
    }
}

/// A start position, given by its size.
#[derive(Clone, Copy, Debug, Args)]
pub(super) struct StartArgs {
    /// Pits per row, 1 to 16
    #[arg(long, default_value_t = 6, value_parser = number::<u32>(0..))]
    pub pits: u32,
    /// Seeds per pit at the start
    #[arg(long, default_value_t = 4, value_parser = number::<u32>(0..))]
    pub seeds: u32,
    #[command(flatten)]
    pub capture: CaptureArgs,
}

impl StartArgs {
    /// The rules of these arguments.
    ///
    /// # Errors
    /// [`Failure::Usage`] if no such board exists.
    pub(super) fn rules(&self) -> Result<Rules, Failure> {
        Rules::new(self.pits, self.seeds, self.capture.rule).map_err(Failure::usage)
    }
}

/// A start position, given by its size, or any position, given as text.
#[derive(Clone, Debug, Args)]
pub(super) struct BoardArgs {
    #[command(flatten)]
    start: StartArgs,
    /// Use this position, written `<pits,S store,N store,S row…,N row…> S`; --pits and
    /// --seeds are then ignored
    #[arg(long, value_name = "TEXT")]
    position: Option<String>,
}

impl BoardArgs {
    /// The capture rule.
    pub(super) fn capture(&self) -> Capture {
        self.start.capture.rule
    }

    /// The rules of the start position.
    ///
    /// # Errors
    /// [`Failure::Usage`] if no such board exists.
    pub(super) fn rules(&self) -> Result<Rules, Failure> {
        self.start.rules()
    }

    /// The position of these arguments.
    ///
    /// # Errors
    /// [`Failure::Usage`] if the text is not a valid position or no such board exists.
    pub(super) fn position(&self) -> Result<Position, Failure> {
        match &self.position {
            Some(text) => Position::parse(text, self.capture())
                .map_err(|error| Failure::Usage(format!("--position: {error}"))),
            None => Ok(Position::start(self.start.rules()?)),
        }
    }
}

/// Pits and capture rule, without seeds.
#[derive(Clone, Copy, Debug, Args)]
pub(super) struct VariantArgs {
    /// Pits per row, 1 to 16
    #[arg(long, default_value_t = 6, value_parser = number::<u32>(0..))]
    pub pits: u32,
    #[command(flatten)]
    pub capture: CaptureArgs,
}

impl VariantArgs {
    /// The variant of these arguments.
    ///
    /// # Errors
    /// [`Failure::Usage`] if the number of pits is out of range.
    pub(super) fn variant(self) -> Result<Variant, Failure> {
        Variant::new(self.pits as usize, self.capture.rule).map_err(Failure::usage)
    }
}

/// The capture rule.
#[derive(Clone, Copy, Debug, Args)]
pub(super) struct CaptureArgs {
    /// Capture rule: standard, or empty-capture (a last seed that falls into the mover's own
    /// empty pit is banked even if the opposite pit is empty)
    #[arg(long = "capture", value_name = "RULE", default_value_t)]
    pub rule: Capture,
}

/// What the terminal shows.
#[derive(Clone, Copy, Debug, Args)]
pub(super) struct Screen {
    /// Write only sentences, for screen readers; the default if stdout is not a terminal
    #[arg(long)]
    plain: bool,
    /// Use ASCII characters only
    #[arg(long)]
    ascii: bool,
    /// Background that the colours are chosen for
    #[arg(long, value_enum, default_value_t)]
    theme: Theme,
}

impl Screen {
    /// The terminal of this process, as these arguments ask for it.
    pub(super) fn terminal(self) -> Terminal {
        Terminal::of_process(self.plain, self.ascii).with_theme(self.theme)
    }
}

/// The number of threads.
#[derive(Clone, Copy, Debug, Default, Args)]
pub(super) struct Threads {
    /// Threads [default: one per processor]
    #[arg(long, value_name = "N", value_parser = number::<u16>(1..=512))]
    pub threads: Option<u16>,
}

impl Threads {
    /// The number requested, or the number of processors.
    pub(super) fn count(self) -> usize {
        self.threads.map_or_else(processors, usize::from)
    }
}
