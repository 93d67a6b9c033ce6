//! A number that can be read although it changes all the time.

/// The mean of what was added lately.
#[derive(Debug, Default)]
pub struct Smooth {
    mean: f64,
    count: u32,
}

impl Smooth {
    /// As many as weigh about the same.
    const MEMORY: u32 = 60;

    pub fn add(&mut self, value: f64) {
        // A clock that is put back says nothing.
        if value >= 0.0 {
            self.count = (self.count + 1).min(Self::MEMORY);
            self.mean += (value - self.mean) / f64::from(self.count);
        }
    }

    pub fn shown(&self, unit: &str) -> String {
        if self.count == 0 { "-".to_owned() } else { format!("{:.2} {unit}", self.mean) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_the_mean_at_first_and_follows_later() {
        let mut smooth = Smooth::default();
        assert_eq!(smooth.shown("ms"), "-");
        for value in [1.0, 2.0, 6.0, -5.0] {
            smooth.add(value);
        }
        assert_eq!(smooth.shown("ms"), "3.00 ms");
        (0..1000).for_each(|_| smooth.add(7.0));
        assert_eq!(smooth.shown("ms"), "7.00 ms");
    }
}
