//! The float functions that `core` has not, where there is no `std`.

/// The methods that `std` gives a float, by `libm`.
pub(crate) trait Float {
    fn atan2(self, other: Self) -> Self;
    fn cos(self) -> Self;
    fn mul_add(self, factor: Self, summand: Self) -> Self;
    fn sin_cos(self) -> (Self, Self)
    where
        Self: Sized;
    fn sqrt(self) -> Self;
}

macro_rules! float {
    ($float:ty, $atan2:ident, $cos:ident, $fma:ident, $sincos:ident, $sqrt:ident) => {
        impl Float for $float {
            fn atan2(self, other: Self) -> Self {
                libm::$atan2(self, other)
            }

            fn cos(self) -> Self {
                libm::$cos(self)
            }

            fn mul_add(self, factor: Self, summand: Self) -> Self {
                libm::$fma(self, factor, summand)
            }

            fn sin_cos(self) -> (Self, Self) {
                libm::$sincos(self)
            }

            fn sqrt(self) -> Self {
                libm::$sqrt(self)
            }
        }
    };
}

float!(f32, atan2f, cosf, fmaf, sincosf, sqrtf);
float!(f64, atan2, cos, fma, sincos, sqrt);
