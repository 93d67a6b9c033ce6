/// Iterates over the numbers of the bits that are 1, the lowest first.
#[inline]
pub(crate) fn bits_of(mut word: u64) -> impl Iterator<Item = u32> + Clone {
    core::iter::from_fn(move || {
        let bit = word.trailing_zeros();
        (word != 0).then(|| {
            word &= word - 1;
            bit
        })
    })
}
