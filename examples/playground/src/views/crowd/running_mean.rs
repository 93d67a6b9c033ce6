//! A running mean, for numbers that change every frame.

/// The mean of recent values, with exponentially decreasing weights after the first 60.
#[derive(Debug, Default)]
pub struct RunningMean {
    mean: f64,
    count: u32,
}

impl RunningMean {
    /// The number of values that are averaged equally; later the weight of a new value is 1/60.
    const WINDOW: u32 = 60;

    /// Adds a value. Negative values and NaN are ignored.
    pub fn add(&mut self, value: f64) {
        // A negative time means that the clock was set back.
        if value >= 0.0 {
            self.count = (self.count + 1).min(Self::WINDOW);
            self.mean += (value - self.mean) / f64::from(self.count);
        }
    }

    /// Returns the mean with two decimals and its unit, or `-` if there are no values.
    pub fn text(&self, unit: &str) -> String {
        if self.count == 0 { "-".to_owned() } else { format!("{:.2} {unit}", self.mean) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_values_are_averaged_and_later_values_replace_them() {
        let mut mean = RunningMean::default();
        assert_eq!(mean.text("ms"), "-");
        for value in [1.0, 2.0, 6.0, -5.0] {
            mean.add(value);
        }
        assert_eq!(mean.text("ms"), "3.00 ms");
        (0..1000).for_each(|_| mean.add(7.0));
        assert_eq!(mean.text("ms"), "7.00 ms");
    }
}
