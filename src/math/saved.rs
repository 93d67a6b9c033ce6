//! Numbers in saved data, for `#[serde(with = "crate::math::saved")]`.
//!
//! Binary formats store the bits. Formats for humans, such as JSON, may have no NaN and no infinity and may round an
//! `f64`, so there a number that is not finite is a text, and so is every `f64` and an `f32` that would change. Vectors
//! are lists of numbers, as in glam.

use alloc::format;
use alloc::vec::Vec;
use core::fmt;
use core::num::ParseFloatError;

use glam::{Affine2, DVec2, Mat2, Vec2};
use serde::de::{Error, Unexpected, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A type that is saved in another form.
pub(crate) trait Saved: Sized {
    type Form: Serialize + for<'de> Deserialize<'de>;

    fn to_form(&self) -> Self::Form;

    fn from_form(form: Self::Form) -> Self;
}

/// Writes a value in its saved form.
pub(crate) fn serialize<T: Saved, S: Serializer>(value: &T, serializer: S) -> Result<S::Ok, S::Error> {
    value.to_form().serialize(serializer)
}

/// Reads a value in its saved form.
pub(crate) fn deserialize<'de, T: Saved, D: Deserializer<'de>>(deserializer: D) -> Result<T, D::Error> {
    T::Form::deserialize(deserializer).map(T::from_form)
}

/// A number in saved data.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Number<T>(T);

impl Serialize for Number<f32> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if serializer.is_human_readable() && !(self.0.is_finite() && survives_as_f64(self.0)) {
            serializer.collect_str(&self.0)
        } else {
            serializer.serialize_f32(self.0)
        }
    }
}

impl Serialize for Number<f64> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if serializer.is_human_readable() { serializer.collect_str(&self.0) } else { serializer.serialize_f64(self.0) }
    }
}

impl<'de> Deserialize<'de> for Number<f32> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        if deserializer.is_human_readable() {
            let parse = |text: &str| text.parse::<f32>().map(f64::from);
            deserializer.deserialize_any(NumberVisitor(parse)).map(|number| Self(number as f32))
        } else {
            f32::deserialize(deserializer).map(Self)
        }
    }
}

impl<'de> Deserialize<'de> for Number<f64> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        if deserializer.is_human_readable() {
            deserializer.deserialize_any(NumberVisitor(str::parse)).map(Self)
        } else {
            f64::deserialize(deserializer).map(Self)
        }
    }
}

/// Returns `false` for one of the few numbers that change if their shortest text is read as an `f64` and then rounded to
/// `f32`, as readers of JSON do.
fn survives_as_f64(number: f32) -> bool {
    format!("{number}").parse::<f64>().is_ok_and(|read| read as f32 == number)
}

/// Reads a number or a text that contains one, with a function for the text.
struct NumberVisitor(fn(&str) -> Result<f64, ParseFloatError>);

impl Visitor<'_> for NumberVisitor {
    type Value = f64;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a number, or a text such as \"NaN\" or \"inf\"")
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<f64, E> {
        Ok(number)
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<f64, E> {
        Ok(number as f64)
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<f64, E> {
        Ok(number as f64)
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<f64, E> {
        (self.0)(text).map_err(|_| E::invalid_value(Unexpected::Str(text), &self))
    }
}

/// Implements [`Saved`] for types that convert to and from an array of numbers.
macro_rules! arrays {
    ($($type:ty: [$number:ty; $count:literal], $to:expr, $from:expr;)*) => {
        $(impl Saved for $type {
            type Form = [Number<$number>; $count];

            fn to_form(&self) -> Self::Form {
                $to(self).map(Number)
            }

            fn from_form(form: Self::Form) -> Self {
                $from(form.map(|Number(number)| number))
            }
        })*
    };
}

arrays! {
    Vec2: [f32; 2], Vec2::to_array, Vec2::from_array;
    Mat2: [f32; 4], Mat2::to_cols_array, |numbers| Mat2::from_cols_array(&numbers);
    Affine2: [f32; 6], Affine2::to_cols_array, |numbers| Affine2::from_cols_array(&numbers);
    DVec2: [f64; 2], DVec2::to_array, DVec2::from_array;
}

impl Saved for f32 {
    type Form = Number<f32>;

    fn to_form(&self) -> Self::Form {
        Number(*self)
    }

    fn from_form(Number(number): Self::Form) -> Self {
        number
    }
}

impl<T: Saved, const N: usize> Saved for [T; N]
where
    [T::Form; N]: Serialize + for<'de> Deserialize<'de>,
{
    type Form = [T::Form; N];

    fn to_form(&self) -> Self::Form {
        self.each_ref().map(T::to_form)
    }

    fn from_form(form: Self::Form) -> Self {
        form.map(T::from_form)
    }
}

impl<T: Saved> Saved for Option<T> {
    type Form = Option<T::Form>;

    fn to_form(&self) -> Self::Form {
        self.as_ref().map(T::to_form)
    }

    fn from_form(form: Self::Form) -> Self {
        form.map(T::from_form)
    }
}

impl<T: Saved> Saved for Vec<T> {
    type Form = Vec<T::Form>;

    fn to_form(&self) -> Self::Form {
        self.iter().map(T::to_form).collect()
    }

    fn from_form(form: Self::Form) -> Self {
        form.into_iter().map(T::from_form).collect()
    }
}

/// The first part is an id, which serde supports already.
impl<K: Copy + Serialize + for<'de> Deserialize<'de>, T: Saved> Saved for (K, T) {
    type Form = (K, T::Form);

    fn to_form(&self) -> Self::Form {
        (self.0, self.1.to_form())
    }

    fn from_form((id, form): Self::Form) -> Self {
        (id, T::from_form(form))
    }
}
