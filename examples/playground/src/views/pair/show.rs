//! The switches for what is drawn besides the shapes.

/// The switches of the panel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Show {
    pub contacts: bool,
    pub closest: bool,
    pub boxes: bool,
    pub nodes: bool,
    /// The shapes that a decomposing engine tests.
    pub decomposed: bool,
}

impl Default for Show {
    fn default() -> Self {
        Self { contacts: true, closest: true, nodes: true, decomposed: true, ..Self::NONE }
    }
}

impl Show {
    pub const NONE: Self = Self { contacts: false, closest: false, boxes: false, nodes: false, decomposed: false };

    /// Returns each switch with its name in links and its label.
    pub fn switches(&mut self) -> [(&'static str, &'static str, &mut bool); 5] {
        [
            ("contacts", "contact, normal", &mut self.contacts),
            ("closest", "closest points", &mut self.closest),
            ("boxes", "boxes", &mut self.boxes),
            ("nodes", "handles", &mut self.nodes),
            ("decomposed", "decomposed engine", &mut self.decomposed),
        ]
    }

    /// Returns the names of the switches that are on, or `none`.
    pub fn names(mut self) -> Vec<&'static str> {
        let names: Vec<_> = self.switches().into_iter().filter(|(.., on)| **on).map(|(name, ..)| name).collect();
        if names.is_empty() { vec!["none"] } else { names }
    }

    /// Parses a list of names, separated by commas, or `none`.
    pub fn from_names(text: &str) -> Result<Self, String> {
        let mut show = Self::NONE;
        for name in text.split(',').filter(|_| text != "none") {
            let switches = show.switches();
            let names = switches.each_ref().map(|(name, ..)| *name);
            let unknown = || format!("unknown name {name:?}; the names are {} and none", names.join(", "));
            let place = names.iter().position(|known| *known == name).ok_or_else(unknown)?;
            *switches[place].2 = true;
        }
        Ok(show)
    }
}
