//! The float functions that `core` has not, where there is no `std`.

/// The methods that `std` gives a float, by `libm`.
pub(crate) trait Float {
    fn mul_add(self, factor: Self, summand: Self) -> Self;
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
