//! Numbers for unit tests.

/// Returns a function that returns other numbers with each call, the same in every run. Their high bits look random.
///
/// Source: the linear congruential generator of Press et al., *Numerical Recipes* (2007), section 7.1.
pub(crate) fn random_numbers() -> impl FnMut() -> u32 {
    let mut number = 1_u32;
    move || {
        number = number.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        number
    }
}
