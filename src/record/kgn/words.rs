//! The words of `.kgn` text that its reader and its writer share.

/// Names of the tags that have a field of [`Game`](crate::record::Game).
pub(crate) mod tag {
    pub(crate) const EVENT: &str = "Event";
    pub(crate) const DATE: &str = "Date";
    pub(crate) const ROUND: &str = "Round";
    pub(crate) const ID: &str = "Id";
    pub(crate) const OPENING: &str = "Opening";
    pub(crate) const POSITION: &str = "Position";
    pub(crate) const CAPTURE: &str = "Capture";
    pub(crate) const RESULT: &str = "Result";
    pub(crate) const TERMINATION: &str = "Termination";
    pub(crate) const MARGIN: &str = "Margin";
    pub(crate) const DETAIL: &str = "Detail";
    pub(crate) const WARNING: &str = "Warning";
    /// After `South` or `North`.
    pub(crate) const VERSION: &str = "Version";
    /// After `South` or `North`.
    pub(crate) const LIMIT: &str = "Limit";
    /// After `South` or `North`; one tag an option, `name=value`.
    pub(crate) const OPTION: &str = "Option";
}

/// The result of an unfinished game.
pub(super) const UNFINISHED: &str = "*";

/// A swap of sides in a variation; that of the main line is a tag.
pub(super) const SWAP: &str = "swap";
