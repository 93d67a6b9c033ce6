//! The float functions that `core` has not, where there is no `std`.

/// The methods that `std` gives a float, by `libm`.
pub(crate) trait Float {
    fn mul_add(self, factor: Self, summand: Self) -> Self;
    fn round(self) -> Self;
    fn sqrt(self) -> Self;
}

macro_rules! float {
    ($float:ty, $fma:ident, $round:ident, $sqrt:ident) => {
        impl Float for $float {
            fn mul_add(self, factor: Self, summand: Self) -> Self {
                libm::$fma(self, factor, summand)
            }

            fn round(self) -> Self {
                libm::$round(self)
            }

            fn sqrt(self) -> Self {
                libm::$sqrt(self)
            }
        }
    };
}

float!(f32, fmaf, roundf, sqrtf);
float!(f64, fma, round, sqrt);
