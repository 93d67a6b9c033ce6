//! Float functions that `core` lacks, for builds without `std`.

/// The methods that `std` gives a float, computed by `libm`.
pub(crate) trait Float {
    /// Returns `self * factor + summand`, rounded once.
    fn mul_add(self, factor: Self, summand: Self) -> Self;

    /// Returns the square root; NaN for a negative number.
    fn sqrt(self) -> Self;
}

macro_rules! float {
    ($float:ty, $fma:ident, $sqrt:ident) => {
        impl Float for $float {
            fn mul_add(self, factor: Self, summand: Self) -> Self {
                libm::$fma(self, factor, summand)
            }

            fn sqrt(self) -> Self {
                libm::$sqrt(self)
            }
        }
    };
}

float!(f32, fmaf, sqrtf);
float!(f64, fma, sqrt);
