//! Names in options and files: the error for an unknown name, and how foreign text is
//! quoted in messages.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::{error, fmt};
#[cfg(feature = "std")]
use std::path::{MAIN_SEPARATOR, Path};

use crate::foreign::Foreign;

/// Error for a text that is not one of the expected names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownName(String);

impl fmt::Display for UnknownName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl error::Error for UnknownName {}

impl UnknownName {
    /// `what` is the kind of name, in the singular; `got` is the whole text, which
    /// is shortened.
    pub fn new(what: &str, names: impl IntoIterator<Item = &'static str>, got: &str) -> Self {
        let names: Vec<&str> = names.into_iter().collect();
        Self(format!("expected {what} {}, got '{}'", alternatives(&names), shortened(got)))
    }
}

/// The member of `all` named `text`, in either case; `what` is the kind of name, in the
/// singular.
///
/// # Errors
/// [`UnknownName`] if there is none.
pub fn named<T: Copy>(
    what: &str,
    all: &[T],
    name: impl Fn(T) -> &'static str,
    text: &str,
) -> Result<T, UnknownName> {
    let found = all.iter().find(|&&one| name(one).eq_ignore_ascii_case(text));
    found.copied().ok_or_else(|| UnknownName::new(what, all.iter().map(|&one| name(one)), text))
}

/// Defines an enum whose variants have names, with a constant `ALL`, a method `name`, and
/// `Display` and `FromStr` by those names: `pub enum Colour: "colour" { Red = "red", }`.
/// The text after the colon is the kind of name in the message of [`UnknownName`].
#[macro_export]
macro_rules! named_enum {
    (
        $(#[$about:meta])*
        $visibility:vis enum $Enum:ident: $what:literal {
            $($(#[$about_variant:meta])* $Variant:ident = $name:literal,)*
        }
    ) => {
        $(#[$about])*
        $visibility enum $Enum {
            $($(#[$about_variant])* $Variant,)*
        }

        impl $Enum {
            /// All variants, in the order of declaration.
            pub const ALL: [Self; [$($name),*].len()] = [$(Self::$Variant),*];

            /// Its name in options, files and protocols.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$Variant => $name,)*
                }
            }
        }

        impl core::fmt::Display for $Enum {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                f.pad(self.name())
            }
        }

        impl core::str::FromStr for $Enum {
            type Err = $crate::names::UnknownName;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                $crate::names::named($what, &Self::ALL, Self::name, text)
            }
        }
    };
}

/// `'a', 'b' or 'c'`.
pub fn alternatives(names: &[&str]) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("'{name}'")).collect();
    match quoted.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} or {last}", rest.join(", ")),
        _ => quoted.concat(),
    }
}

/// `A to F`, or `A` if both are the same.
pub fn range<T: fmt::Display + PartialEq>(first: T, last: T) -> String {
    if first == last { first.to_string() } else { format!("{first} to {last}") }
}

/// The message for an item that does not exist, of `count` items: `no game 9: there are 5`.
pub fn missing(what: &str, number: impl fmt::Display, count: usize) -> String {
    match count {
        0 => format!("no {what} {number}: there are none"),
        1 => format!("no {what} {number}: there is only one"),
        _ => format!("no {what} {number}: there are {count}"),
    }
}

/// The first 24 characters of a text, as [`Foreign`] shows them.
pub fn shortened(text: &str) -> String {
    // A message must stay on one line, however long a pasted text is.
    const MAX_SHOWN: usize = 24;
    match text.char_indices().nth(MAX_SHOWN) {
        None => Foreign(text).to_string(),
        Some((end, _)) => format!("{}…", Foreign(&text[..end])),
    }
}

/// A text in quotes, as [`shortened`] shows it. The first letter that may only look like one from A
/// to Z is named.
pub fn quoted(text: &str) -> String {
    let shown = shortened(text);
    // Greek, Cyrillic and full-width letters.
    let is_alike =
        |letter: &char| matches!(letter, '\u{370}'..='\u{52f}' | '\u{ff21}'..='\u{ff5a}');
    match text.chars().find(is_alike) {
        Some(letter) => {
            let code = u32::from(letter);
            format!("'{shown}' ({letter} is U+{code:04X}, not a letter from A to Z)")
        }
        None => format!("'{shown}'"),
    }
}

/// Whether a character is a dash or a minus sign that text processors put in place of hyphens.
pub fn is_long_dash(character: char) -> bool {
    matches!(character, '\u{2010}'..='\u{2015}' | '\u{2212}')
}

/// A tip for a word that begins with such a dash instead of a hyphen; none for other words.
pub fn dash_tip(word: &str) -> Option<String> {
    let dash = word.chars().next().filter(|&first| is_long_dash(first))?;
    let name = word.trim_start_matches(is_long_dash);
    if name.is_empty() {
        return None;
    }
    let hyphens = if name.chars().count() == 1 { "-" } else { "--" };
    Some(format!("'{dash}' is not a hyphen; type {hyphens}{name}"))
}

/// A path in a command that a message suggests: in double quotes if a shell would split or expand
/// it.
#[cfg(feature = "std")]
pub fn argument(path: &Path) -> String {
    let path = path.display().to_string();
    let plain = [MAIN_SEPARATOR, '/', ':', '.', '_', '-', '+', ',', '@', '='];
    if path.chars().all(|c| c.is_alphanumeric() || plain.contains(&c)) {
        return path;
    }
    let mut quoted = String::from('"');
    for character in path.chars() {
        // On Windows, none of these needs an escape, and a backslash separates folders.
        if cfg!(unix) && "\"$`\\".contains(character) {
            quoted.push('\\');
        }
        quoted.push(character);
    }
    quoted + "\""
}

/// The rest of a text, for a message: quoted and shortened, or `the end`.
pub fn rest(text: &str) -> String {
    match text {
        "" => "the end".to_owned(),
        _ => format!("'{}'", shortened(text)),
    }
}
