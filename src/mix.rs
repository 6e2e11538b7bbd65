//! Mixing of 64-bit numbers: the same bits on every machine, in every version.

/// The finaliser of SplitMix64 (Steele, Lea and Flood, "Fast splittable
/// pseudorandom number generators", OOPSLA 2014): a bijection in which every
/// bit of the input moves about half of the output.
#[inline]
pub const fn mix(mut word: u64) -> u64 {
    word = word.wrapping_add(0x9e37_79b9_7f4a_7c15);
    word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    word ^ (word >> 31)
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_published_sequence_comes_out() {
        // The first outputs of SplitMix64 seeded with 1234567.
        const GAMMA: u64 = 0x9e37_79b9_7f4a_7c15;
        let outputs = (0u64..3).map(|n| super::mix(GAMMA.wrapping_mul(n).wrapping_add(1_234_567)));
        let published =
            [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423];
        assert!(outputs.eq(published));
    }
}
