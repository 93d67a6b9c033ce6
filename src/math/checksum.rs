use glam::{DVec2, Vec2};

/// A checksum of 64 bits over numbers, the same on every platform.
///
/// It starts with the offset basis of FNV-1a. Each 64-bit word is combined by an exclusive or, multiplied by the prime
/// of FNV-1a, and the upper half of the result is folded into the lower one, so that every bit counts in all that
/// follows. Each step is a bijection: two inputs that differ in one word never have the same checksum.
///
/// Source: G. Fowler, L. C. Noll, K.-P. Vo, D. Eastlake, *The FNV non-cryptographic hash algorithm*.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Checksum(u64);

impl Checksum {
    pub(crate) const fn new() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }

    /// Returns the checksum of everything that was added.
    pub(crate) const fn value(self) -> u64 {
        self.0
    }

    #[inline]
    pub(crate) fn add(&mut self, word: impl Into<u64>) {
        let product = (self.0 ^ word.into()).wrapping_mul(0x0100_0000_01b3);
        self.0 = product ^ (product >> 32);
    }

    /// Adds the bits of a number. All NaNs count as one, because their bits differ between platforms.
    #[inline]
    pub(crate) fn add_f32(&mut self, number: f32) {
        self.add(if number.is_nan() { f32::NAN } else { number }.to_bits());
    }

    /// Adds the bits of a number; all NaNs count as one.
    #[inline]
    pub(crate) fn add_f64(&mut self, number: f64) {
        self.add(if number.is_nan() { f64::NAN } else { number }.to_bits());
    }

    #[inline]
    pub(crate) fn add_vec2(&mut self, vector: Vec2) {
        self.add_f32(vector.x);
        self.add_f32(vector.y);
    }

    pub(crate) fn add_dvec2(&mut self, vector: DVec2) {
        self.add_f64(vector.x);
        self.add_f64(vector.y);
    }

    /// Adds a direction that may be missing.
    pub(crate) fn add_direction(&mut self, direction: Option<Vec2>) {
        self.add(direction.is_some());
        self.add_vec2(direction.unwrap_or_default());
    }

    /// Adds a text with its length.
    pub(crate) fn add_text(&mut self, text: &str) {
        self.add(text.len() as u64);
        for bytes in text.as_bytes().chunks(8) {
            let mut word = [0; 8];
            word[..bytes.len()].copy_from_slice(bytes);
            self.add(u64::from_le_bytes(word));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_checksum_counts_every_bit_the_order_and_the_length() {
        let of = |words: &[u64]| {
            let mut sum = Checksum::new();
            words.iter().for_each(|word| sum.add(*word));
            sum.value()
        };
        let plain = of(&[0, 0]);
        for bit in 0..64 {
            assert_ne!(of(&[1 << bit, 0]), plain);
            assert_ne!(of(&[1 << bit, 1 << bit]), plain, "the same bit twice does not cancel out");
        }
        assert_ne!(of(&[1, 2]), of(&[2, 1]));
        assert_ne!(of(&[0]), plain);
    }

    #[test]
    fn zeros_have_a_sign_and_nans_have_none() {
        let of = |number: f32| {
            let mut sum = Checksum::new();
            sum.add_f32(number);
            sum.value()
        };
        assert_ne!(of(0.0), of(-0.0));
        assert_eq!(of(f32::NAN), of(-f32::NAN));
    }
}
