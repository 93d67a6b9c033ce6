#[cfg(feature = "std")]
use alloc::{boxed::Box, vec::Vec};
#[cfg(feature = "std")]
use core::cell::RefCell;

use glam::Affine2;

use crate::math::affine_disc::uniform_scale;
use crate::shape::{Kind, Shape, WorldForm};

/// Memory for the world forms of pieces, and of shapes that are in no scene: one per kind, so that heap memory is reused.
#[derive(Debug)]
pub(crate) struct WorldForms([Shape; Kind::COUNT]);

#[cfg(feature = "std")]
std::thread_local! {
    #[allow(clippy::vec_box, reason = "a box is faster to move in and out")]
    static IDLE: RefCell<Vec<Box<WorldForms>>> = const { RefCell::new(Vec::new()) };
}

impl Default for WorldForms {
    fn default() -> Self {
        Self([const { Shape::NOWHERE }; Kind::COUNT])
    }
}

impl WorldForms {
    /// Runs `work` with memory that earlier calls on this thread have left; without `std`, with new memory. Nested calls
    /// get different memory.
    pub(crate) fn with<R>(work: impl FnOnce(&mut Self) -> R) -> R {
        // While the thread ends, there is no list of idle memory.
        #[cfg(feature = "std")]
        let mut forms = IDLE.try_with(|idle| idle.borrow_mut().pop()).ok().flatten().unwrap_or_default();
        #[cfg(not(feature = "std"))]
        let mut forms = Self::default();
        let result = work(&mut forms);
        #[cfg(feature = "std")]
        let _ = IDLE.try_with(|idle| idle.borrow_mut().push(forms));
        result
    }

    /// Returns the image of a shape of a kind under an affine map. (The shape need not be a [`Shape`], because that of a
    /// polygon is on the heap.)
    pub(crate) fn image(&mut self, kind: Kind, local: &impl WorldForm, by: &Affine2) -> &Shape {
        // In the memory of a capsule's own kind, capsules and boxed rounded polygons would replace each other.
        let becomes_rounded = kind == Kind::Capsule && uniform_scale(by.matrix2).is_none();
        let world = &mut self.0[if becomes_rounded { Kind::Rounded } else { kind } as usize];
        local.write_world_form(by, world);
        world
    }
}
