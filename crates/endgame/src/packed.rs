//! Small numbers packed in as few bits as the largest of them needs.
//!
//! Numbers of one width follow each other without gaps, from the least significant bit of the
//! first byte upwards. With a width of 5 bits, as in layers of 16 to 31 seeds:
//!
//! ```text
//! byte  0        1        2        3        4
//! bit   0....5.. ..0....5 ....0... .5....0. ...5....
//!       11111222 22333334 44445555 56666677 77788888
//! ```
//!
//! (The second line gives the last digits of some bit numbers.) Eight numbers take as many bytes as
//! one takes bits, so they are read and written eight at a time. The arithmetic is SWAR (SIMD
//! within a register): each of three steps halves the groups of numbers in a word and moves the
//! halves apart.
//!
//! The bits at which numbers are read or written are a multiple of the width away from the
//! beginning of a byte.

/// The bits of numbers from 0 to `max`.
#[inline]
pub(super) fn width(max: u32) -> u32 {
    (u32::BITS - max.leading_zeros()).max(1)
}

/// The bytes of `count` numbers.
pub(super) fn packed_len(count: u64, width: u32) -> Option<u64> {
    Some(count.checked_mul(width.into())?.div_ceil(8))
}

/// The number at `bit`, of at most 8 bits.
#[inline]
pub(super) fn get(bytes: &[u8], bit: u64, width: u32) -> u8 {
    let at = (bit / 8) as usize;
    let word = match bytes[at..].first_chunk() {
        Some(&two) => u16::from_le_bytes(two),
        None => u16::from(bytes[at]),
    };
    (word >> (bit % 8)) as u8 & (u8::MAX >> (8 - width))
}

/// Evaluates an expression with a constant equal to the width, at most 8. For many short runs,
/// dispatch once, outside the loop.
macro_rules! with_width {
    ($width:expr, $constant:ident => $value:expr) => {
        with_width!(@ $width, $constant => $value; 1 2 3 4 5 6 7)
    };
    (@ $width:expr, $constant:ident => $value:expr; $($bits:literal)*) => {
        match $width {
            $($bits => {
                const $constant: u32 = $bits;
                $value
            })*
            _ => {
                const $constant: u32 = 8;
                $value
            }
        }
    };
}

pub(super) use with_width;

/// Calls `f` with each target and its number; the numbers start at `bit`.
#[inline]
pub(super) fn update<const WIDTH: u32, T>(
    targets: &mut [T],
    bytes: &[u8],
    bit: u64,
    f: impl Fn(&mut T, u8),
) {
    let mut rest = &bytes[(bit / 8) as usize..];
    let shift = bit % 8;
    let (eights, others) = targets.as_chunks_mut::<8>();
    debug_assert!(8 * u64::from(WIDTH) + shift <= 64);
    for targets in eights {
        let numbers = spread::<WIDTH>(word(rest) >> shift).to_le_bytes();
        targets.iter_mut().zip(numbers).for_each(|(target, number)| f(target, number));
        rest = &rest[WIDTH as usize..];
    }
    if !others.is_empty() {
        let mut numbers = word(rest) >> shift;
        for target in others {
            f(target, numbers as u8 & (u8::MAX >> (8 - WIDTH)));
            numbers >>= WIDTH;
        }
    }
}

/// Writes numbers starting at `bit`. Their bits must be zero before; all others are preserved.
/// Higher bits of a number than its width are lost.
pub(super) fn pack(numbers: &[u8], bytes: &mut [u8], bit: u64, width: u32) {
    with_width!(width, WIDTH => pack_with_width::<WIDTH>(numbers, bytes, bit))
}

fn pack_with_width<const WIDTH: u32>(numbers: &[u8], bytes: &mut [u8], bit: u64) {
    let mut rest = &mut bytes[(bit / 8) as usize..];
    let shift = bit % 8;
    let (eights, others) = numbers.as_chunks::<8>();
    debug_assert!(8 * u64::from(WIDTH) + shift <= 64);
    // The bits of the next byte that precede the numbers. Each byte is written once: reading back a
    // recent store would stall.
    let mut before = u64::from(rest.first().copied().unwrap_or_default());
    for &numbers in eights {
        let word = close_up::<WIDTH>(u64::from_le_bytes(numbers)) << shift | before;
        let (written, after) = rest.split_at_mut(WIDTH as usize);
        written.copy_from_slice(&word.to_le_bytes()[..WIDTH as usize]);
        before = word.checked_shr(8 * WIDTH).unwrap_or_default();
        rest = after;
    }
    let mut numbers = [0; 8];
    numbers[..others.len()].copy_from_slice(others);
    let word = close_up::<WIDTH>(u64::from_le_bytes(numbers)) << shift | before;
    rest.iter_mut().zip(word.to_le_bytes()).for_each(|(byte, more)| *byte |= more);
}

/// A number in `bytes` that is greater than `max`.
pub(super) fn any_above(bytes: &[u8], max: u8, width: u32) -> Option<u8> {
    with_width!(width, WIDTH => any_above_with_width::<WIDTH>(bytes, max))
}

fn any_above_with_width<const WIDTH: u32>(bytes: &[u8], max: u8) -> Option<u8> {
    let ones = const { ones(WIDTH) };
    let highest = ones << (WIDTH - 1);
    // A number greater than `max` carries when this is added to it.
    let added = ones * u64::from((u8::MAX >> (8 - WIDTH)).saturating_sub(max));
    let mut rest = bytes;
    while !rest.is_empty() {
        let numbers = word(rest);
        let sums = ((numbers & !highest) + (added & !highest)) ^ ((numbers ^ added) & highest);
        let carries = (numbers & added | (numbers | added) & !sums) & highest;
        if carries != 0 {
            return spread::<WIDTH>(numbers).to_le_bytes().into_iter().find(|&number| number > max);
        }
        rest = rest.get(WIDTH as usize..).unwrap_or_default();
    }
    None
}

/// A word with eight numbers of this width, each of them 1.
const fn ones(width: u32) -> u64 {
    let mut ones = 0;
    let mut index = 0;
    while index < 8 {
        ones |= 1 << (index * width);
        index += 1;
    }
    ones
}

/// The first 8 bytes; zeros stand for those beyond the end.
#[inline]
fn word(bytes: &[u8]) -> u64 {
    if let Some(&eight) = bytes.first_chunk() {
        return u64::from_le_bytes(eight);
    }
    bytes.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte))
}

/// Moves the lowest eight numbers of a word apart, one into each byte.
#[inline]
fn spread<const WIDTH: u32>(word: u64) -> u64 {
    let [fours, twos, ones] = masks(WIDTH);
    let halves = (word & fours) | ((word >> (4 * WIDTH)) & fours) << 32;
    let quarters = (halves & twos) | ((halves >> (2 * WIDTH)) & twos) << 16;
    (quarters & ones) | ((quarters >> WIDTH) & ones) << 8
}

/// The inverse of [`spread`].
#[inline]
fn close_up<const WIDTH: u32>(word: u64) -> u64 {
    let [fours, twos, ones] = masks(WIDTH);
    let quarters = (word & ones) | ((word >> 8) & ones) << WIDTH;
    let halves = (quarters & twos) | ((quarters >> 16) & twos) << (2 * WIDTH);
    (halves & fours) | ((halves >> 32) & fours) << (4 * WIDTH)
}

/// The lowest four numbers of a word, the lowest two of each half, the lowest one of each quarter.
const fn masks(width: u32) -> [u64; 3] {
    let fours = (1 << (4 * width)) - 1;
    let twos = (1 << (2 * width)) - 1;
    let ones = (1 << width) - 1;
    [fours, twos * 0x1_0000_0001, ones * 0x1_0001_0001_0001]
}

#[cfg(test)]
mod tests {
    use super::*;
    use kalah_sys::random::SplitMix64;

    /// Numbers of up to `width` bits.
    fn numbers(width: u32, count: usize) -> Vec<u8> {
        let mut random = SplitMix64::new(width.into());
        (0..count).map(|_| random.below(1 << width) as u8).collect()
    }

    fn packed(numbers: &[u8], width: u32) -> Vec<u8> {
        let mut bytes = vec![0; packed_len(numbers.len() as u64, width).unwrap() as usize];
        pack(numbers, &mut bytes, 0, width);
        bytes
    }

    /// The bit at which a number begins.
    fn bit(index: usize, width: u32) -> u64 {
        index as u64 * u64::from(width)
    }

    #[test]
    fn a_width_holds_the_largest_number_and_no_more() {
        let widths = [0, 1, 2, 3, 4, 7, 8, 15, 16, 31, 32, 63, 64, 127, 128, 250].map(width);
        assert_eq!(widths, [1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8]);
    }

    #[test]
    fn numbers_are_read_as_written() {
        for width in 1..=8 {
            for count in [1, 2, 7, 8, 9, 63, 64, 65, 100] {
                let numbers = numbers(width, count);
                let bytes = packed(&numbers, width);
                for (index, &number) in numbers.iter().enumerate() {
                    assert_eq!(get(&bytes, bit(index, width), width), number);
                    let mut rest = vec![0; count - index];
                    let begin = bit(index, width);
                    with_width!(width, WIDTH => {
                        update::<WIDTH, _>(&mut rest, &bytes, begin, |to, number| *to = number)
                    });
                    assert_eq!(rest, numbers[index..]);
                }
                let max = numbers.into_iter().max().unwrap();
                assert_eq!(any_above(&bytes, max, width), None);
                if max > 0 {
                    assert_eq!(any_above(&bytes, max - 1, width), Some(max));
                }
            }
        }
    }

    #[test]
    fn numbers_may_be_written_in_parts_and_in_any_order() {
        for width in 1..=8 {
            let numbers = numbers(width, 100);
            for part in [1, 3, 8, 11, 40] {
                let mut bytes = vec![0; packed(&numbers, width).len()];
                let parts: Vec<_> = numbers.chunks(part).enumerate().collect();
                let (even, odd): (Vec<_>, Vec<_>) = parts.iter().partition(|(i, _)| i % 2 == 0);
                for (index, numbers) in odd.into_iter().chain(even) {
                    pack(numbers, &mut bytes, bit(index * part, width), width);
                }
                assert_eq!(bytes, packed(&numbers, width));
            }
        }
    }

    #[test]
    fn no_number_spoils_its_neighbours() {
        for width in 1..8 {
            let bytes = packed(&[0, u8::MAX, 0], width);
            let numbers = [0, 1, 2].map(|index| get(&bytes, bit(index, width), width));
            assert_eq!(numbers, [0, u8::MAX >> (8 - width), 0]);
        }
        assert_eq!(any_above(&[], 0, 5), None);
    }

    #[test]
    fn the_first_number_takes_the_lowest_bits() {
        assert_eq!(packed(&[1, 2, 3], 5), [0b0100_0001, 0b0000_1100]);
    }
}
