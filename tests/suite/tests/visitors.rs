//! Users' shapes that override visitors. Every answer is the same whichever of two colliders was added first.

use std::fmt::Debug;
use std::sync::atomic::{AtomicU32, Ordering};

use glam::{Affine2, Vec2, vec2};
use hitgraph::{
    Aabb, Attachment, Builtin, Capsule, Circle, Collider, ColliderId, CollisionEvent, Compound, Contact, Ellipse,
    Meets, Node, Polygon, Polyline, Rect, Rounded, Scene, Segment, Shape, SupportShape, Tile, Tiles, World,
};
use support::SupportOnly;

/// The bounds of every shape of this file, so that overrides may report touches far beyond `support`.
fn wide(at: &Affine2) -> Aabb {
    Aabb::new(at.translation - 10.0, at.translation + 10.0)
}

/// The contact of a circle around the origin of a collider with a support shape.
fn contact_of_disc(radius: f32, at: &Affine2, shape: &SupportShape<'_>) -> Option<Contact> {
    Circle::new(radius).at(at.translation).contact(shape)
}

/// Declares a disc of radius 1 by its support function, which overrides the given methods. The field is a radius for
/// the overrides.
macro_rules! disc {
    ($name:ident { $($methods:item)* }) => {
        #[derive(Debug, Clone)]
        struct $name(#[allow(dead_code)] f32);

        impl Collider for $name {
            fn support(&self, direction: Vec2) -> Vec2 {
                direction
            }

            fn bounds(&self, at: &Affine2) -> Aabb {
                wide(at)
            }

            $($methods)*
        }
    };
}

disc!(Plain {});

disc!(ByContact {
    fn contact_with_support_shape(&self, at: &Affine2, shape: &SupportShape<'_>) -> Option<Contact> {
        contact_of_disc(self.0, at, shape)
    }
});

disc!(ByOverlap {
    fn collides_with_support_shape(&self, at: &Affine2, shape: &SupportShape<'_>) -> bool {
        contact_of_disc(self.0, at, shape).is_some()
    }
});

// Calls its own contact visitor, which has the default body, on top of a test of its own.
disc!(Delegating {
    fn collides_with_support_shape(&self, at: &Affine2, shape: &SupportShape<'_>) -> bool {
        self.contact_with_support_shape(at, shape).is_some() && at.translation.distance(shape.at().translation) < self.0
    }
});

/// Wraps a collider at its own address, and reports twice the depth of the contacts of the wrapped one.
#[derive(Debug, Clone)]
struct Wrapper<T>(T);

impl<T: Collider + Clone> Collider for Wrapper<T> {
    fn support(&self, direction: Vec2) -> Vec2 {
        self.0.support(direction)
    }

    fn bounds(&self, at: &Affine2) -> Aabb {
        self.0.bounds(at)
    }

    fn contact_with_support_shape(&self, at: &Affine2, shape: &SupportShape<'_>) -> Option<Contact> {
        let mut contact = self.0.contact_with_support_shape(at, shape)?;
        contact.depth *= 2.0;
        Some(contact)
    }
}

/// A disc of radius 1 in layers of its own type. The overlap visitor passes the shape on to the innermost layer, which
/// calls its own contact visitor.
#[derive(Debug, Clone)]
struct Onion(Option<Box<Onion>>);

impl Collider for Onion {
    fn support(&self, direction: Vec2) -> Vec2 {
        direction
    }

    fn collides_with_support_shape(&self, at: &Affine2, shape: &SupportShape<'_>) -> bool {
        match &self.0 {
            Some(inner) => inner.collides_with_support_shape(at, shape),
            None => self.contact_with_support_shape(at, shape).is_some(),
        }
    }
}

/// Several shapes in a list, as a composite.
#[derive(Debug, Clone)]
struct List(Vec<Shape>);

impl Collider for List {
    fn support(&self, direction: Vec2) -> Vec2 {
        let points = self.0.iter().map(|shape| shape.support(direction));
        points.max_by(|a, b| a.dot(direction).total_cmp(&b.dot(direction))).unwrap_or(Vec2::ZERO)
    }

    fn pieces(&self, region: &Aabb, visit: &mut dyn FnMut(u32, &Shape)) -> bool {
        let near = (0..).zip(&self.0).filter(|(_, shape)| shape.bounds().overlaps(*region));
        near.for_each(|(number, shape)| visit(number, shape));
        true
    }
}

/// A composite that answers support shapes and circles by itself: as a disc of this radius.
#[derive(Debug, Clone)]
struct ListByContact(List, f32);

impl Collider for ListByContact {
    fn support(&self, direction: Vec2) -> Vec2 {
        self.0.support(direction)
    }

    fn bounds(&self, at: &Affine2) -> Aabb {
        wide(at)
    }

    fn contact_with_circle(&self, at: &Affine2, circle: &Circle) -> Option<Contact> {
        Circle::new(self.1).at(at.translation).contact(circle)
    }

    fn contact_with_support_shape(&self, at: &Affine2, shape: &SupportShape<'_>) -> Option<Contact> {
        contact_of_disc(self.1, at, shape)
    }

    fn pieces(&self, region: &Aabb, visit: &mut dyn FnMut(u32, &Shape)) -> bool {
        self.0.pieces(region, visit)
    }
}

/// The answers for a pair: whether the two touch, and their contact, from the first to the second.
type Answer = (bool, Option<Contact>);

fn contact_between(world: World<'_>, [a, b]: [ColliderId; 2]) -> Option<Contact> {
    world.contact(a, b)
}

/// The answer for two colliders, the second one at a distance along x. Adds them in both orders and calls every method.
#[track_caller]
fn answer(first: impl Into<Attachment>, second: impl Into<Attachment>, distance: f32) -> Answer {
    let (first, second) = (first.into(), second.into());
    let answers = [false, true].map(|swapped| {
        let mut scene = Scene::new();
        let mut put = |attachment: &Attachment, x: f32| {
            scene.add_with(Node::new("disc").with_position(vec2(x, 0.0)), attachment.clone()).1
        };
        let [a, b] = if swapped {
            let b = put(&second, distance);
            [put(&first, 0.0), b]
        } else {
            [put(&first, 0.0), put(&second, distance)]
        };
        let started = scene.update().iter().any(|event| matches!(event, CollisionEvent::Started(_)));
        let world = scene.world();
        let overlaps = [(a, b), (b, a)].map(|(of, other)| world.overlaps(of).any(|hit| hit.collider == other));
        assert_eq!(overlaps, [started; 2], "`overlaps` agrees with the event");
        assert_eq!(world.pairs().len(), usize::from(started), "`pairs` agrees with the event");
        let [at, other_at] = [0.0, distance].map(|x| Affine2::from_translation(vec2(x, 0.0)));
        let (own, other) = (first.collider(), second.collider());
        assert_eq!(own.collides(&at, other, &other_at), started, "`collides` agrees with the event");
        assert_eq!(other.collides(&other_at, own, &at), started, "`collides` agrees with the event");
        let contact = contact_between(world, [a, b]);
        assert_eq!(contact_between(world, [b, a]), contact.map(Contact::flipped), "`contact` is antisymmetric");
        assert_eq!(own.contact_with(&at, other, &other_at), contact, "`contact_with` agrees with `contact`");
        (started, contact)
    });
    assert_eq!(answers[0], answers[1], "the order of insertion does not matter");
    answers[0]
}

#[track_caller]
fn assert_depth((touches, contact): Answer, depth: f32) {
    let contact = contact.expect("there is a contact");
    assert!(touches && (contact.depth - depth).abs() < 1e-5, "{touches} {contact:?}");
    assert!(contact.normal.abs_diff_eq(Vec2::X, 1e-5), "the normal points from the first to the second: {contact:?}");
}

#[test]
fn the_convex_fallback_answers_if_neither_collider_overrides_a_visitor() {
    assert_depth(answer(Plain(1.0), Plain(1.0), 1.5), 0.5);
    assert_eq!(answer(Plain(1.0), Plain(1.0), 2.5), (false, None));
}

#[test]
fn an_override_of_the_contact_visitor_alone_answers_every_method() {
    assert_depth(answer(ByContact(3.0), Plain(1.0), 3.5), 0.5);
    assert_depth(answer(Plain(1.0), ByContact(3.0), 3.5), 0.5);
    assert_eq!(answer(ByContact(0.2), Plain(1.0), 1.5), (false, None), "the override may deny a touch of the supports");
    assert_eq!(answer(Plain(1.0), ByContact(0.2), 1.5), (false, None));
}

#[test]
fn an_override_of_the_overlap_visitor_alone_answers_overlap() {
    assert_eq!(answer(ByOverlap(3.0), Plain(1.0), 3.5), (true, None), "the fallback answers contacts");
    assert_eq!(answer(Plain(1.0), ByOverlap(3.0), 3.5), (true, None), "the fallback answers contacts");
    assert_depth(answer(ByOverlap(3.0), Plain(1.0), 1.5), 0.5);
    assert!(!answer(ByOverlap(0.2), Plain(1.0), 1.5).0);
}

#[test]
fn the_deeper_contact_counts_if_both_colliders_override_the_visitor() {
    assert_depth(answer(ByContact(2.0), ByContact(3.0), 3.5), 0.5);
    assert_depth(answer(ByContact(3.0), ByContact(2.0), 3.5), 0.5);
    assert_depth(answer(ByContact(0.1), ByContact(1.0), 1.5), 0.5);
    assert_eq!(answer(ByContact(2.0), ByContact(2.0), 3.5), (false, None));
    assert_depth(answer(ByContact(2.0), ByContact(2.0), 2.5), 0.5);
}

#[test]
fn two_overrides_overlap_if_either_reports_it() {
    assert!(answer(ByOverlap(3.0), ByOverlap(0.1), 3.5).0 && answer(ByOverlap(0.1), ByOverlap(3.0), 3.5).0);
    assert!(!answer(ByOverlap(0.1), ByOverlap(0.2), 1.5).0, "the fallback is not consulted");
    assert_eq!(answer(ByOverlap(3.0), ByContact(0.1), 3.5), (true, None));
}

#[test]
fn an_override_may_call_the_default_body_of_another_visitor() {
    assert_depth(answer(Delegating(1.8), Plain(1.0), 1.5), 0.5);
    assert!(!answer(Delegating(1.2), Plain(1.0), 1.5).0, "its own test fails");
    assert!(!answer(Delegating(9.0), Plain(1.0), 2.5).0, "the default body computes an answer");
}

#[test]
fn an_override_may_call_the_default_body_of_a_collider_that_it_wraps() {
    assert_depth(answer(Wrapper(Plain(1.0)), Plain(1.0), 1.5), 1.0);
    assert_depth(answer(Plain(1.0), Wrapper(Plain(1.0)), 1.5), 1.0);
    assert_depth(answer(Wrapper(Wrapper(Plain(1.0))), Plain(1.0), 1.5), 2.0);
    assert_depth(answer(Wrapper(ByContact(3.0)), Wrapper(Plain(1.0)), 3.5), 1.0);
}

#[test]
fn an_override_may_pass_the_shape_on_to_a_collider_of_its_own_type() {
    let onion = Onion(Some(Box::new(Onion(None))));
    assert_depth(answer(onion.clone(), Plain(1.0), 1.5), 0.5);
    assert_depth(answer(Plain(1.0), onion.clone(), 1.5), 0.5);
    assert_eq!(answer(onion.clone(), onion, 2.5), (false, None));
}

#[test]
fn the_default_body_computes_an_answer_for_a_direct_call() {
    let (own, other) = (Plain(1.0), Plain(1.0));
    let at = Affine2::from_translation(vec2(1.5, 0.0));
    let shape = SupportShape::new(&other, &at);
    assert!(own.collides_with_support_shape(&Affine2::IDENTITY, &shape));
    assert!(own.contact_with_support_shape(&Affine2::IDENTITY, &shape).is_some());
    assert!(Circle::new(1.0).collides_with_support_shape(&Affine2::IDENTITY, &shape));
    assert!(List(vec![Circle::new(1.0).into()]).collides_with_support_shape(&Affine2::IDENTITY, &shape));
    assert!(shape.collider_as::<Plain>().is_some() && shape.collider_as::<ByContact>().is_none());
}

#[test]
fn the_convex_fallback_does_not_depend_on_the_order_of_the_colliders() {
    let shapes: [Shape; 4] = [
        Ellipse::new(1.0, 0.5).into(),
        Rect::new(2.0, 1.0).at(vec2(0.1, 0.3)).into(),
        Polygon::convex(&[vec2(0.0, 0.0), vec2(2.0, 0.5), vec2(0.5, 1.5)]).unwrap().into(),
        Capsule::new(vec2(-1.0, 0.0), vec2(0.5, 0.5), 0.3).into(),
    ];
    for (a, b) in shapes.iter().flat_map(|a| shapes.iter().map(move |b| (a, b))) {
        for step in 0_u8..40 {
            let at = Affine2::from_angle_translation(0.37 * f32::from(step), vec2(f32::from(step) * 0.08, 0.4));
            let mut scene = Scene::new();
            let shapes = [a, b].map(|shape| SupportOnly(shape.clone()));
            let [a, b] = shapes.each_ref().map(|shape| shape as &dyn Collider);
            let [here, there] = [Affine2::IDENTITY, at];
            assert_eq!(a.collides(&here, b, &there), b.collides(&there, a, &here), "{a:?} {b:?} {step}");
            match (a.contact_with(&here, b, &there), b.contact_with(&there, a, &here)) {
                (None, None) => {}
                (Some(one), Some(two)) => assert!((one.depth - two.depth).abs() < 1e-5, "{one:?} {two:?}"),
                different => panic!("{different:?}"),
            }
            let [one, two] = shapes.map(|shape| scene.add_with(Node::new("n"), shape));
            scene[two.0].transform = at.into();
            let world = scene.world();
            assert_eq!(world.distance(one.1, two.1), world.distance(two.1, one.1), "{step}");
            let reversed = world.closest_points(two.1, one.1).map(|[on_two, on_one]| [on_one, on_two]);
            assert_eq!(world.closest_points(one.1, two.1), reversed, "{step}");
        }
    }
}

/// A square of side 2 whose contact visitors for built-in shapes report no contact, and count the calls.
#[derive(Debug, Clone)]
struct Refusing(&'static AtomicU32);

macro_rules! refuse {
    ($($contact:ident($shape:ty),)*) => {
        impl Collider for Refusing {
            fn support(&self, direction: Vec2) -> Vec2 {
                direction.signum()
            }

            $(fn $contact(&self, _: &Affine2, _: &$shape) -> Option<Contact> {
                self.0.fetch_add(1, Ordering::Relaxed);
                None
            })*
        }
    };
}

refuse! {
    contact_with_circle(Circle),
    contact_with_segment(Segment),
    contact_with_capsule(Capsule),
    contact_with_rect(Rect),
    contact_with_polygon(Polygon),
    contact_with_ellipse(Ellipse),
    contact_with_rounded(Rounded),
}

/// One collider of every built-in type, each of which covers the origin.
fn one_of_each() -> Vec<Attachment> {
    let corners = [vec2(-0.5, -0.5), vec2(0.5, -0.5), vec2(0.0, 0.5)];
    let rounded = Rounded::new(Polygon::convex(&corners).unwrap(), 0.1);
    vec![
        Circle::new(0.5).into(),
        Segment::new(vec2(-0.5, 0.0), vec2(0.5, 0.0)).into(),
        Capsule::new(vec2(-0.5, 0.0), vec2(0.5, 0.0), 0.1).into(),
        Rect::new(1.0, 1.0).into(),
        Polygon::convex(&corners).unwrap().into(),
        Ellipse::new(0.5, 0.25).into(),
        rounded.into(),
        Polyline::new(&[vec2(-0.5, 0.0), vec2(0.5, 0.0)]).unwrap().into(),
        Compound::new([Circle::new(0.5)]).unwrap().into(),
        Tiles::from_tiles(1, 1, vec2(0.5, 0.5), |_, _| Tile::FULL).unwrap().into(),
    ]
}

#[test]
fn an_override_of_a_contact_visitor_alone_also_answers_overlap_with_every_built_in_type() {
    static CALLS: AtomicU32 = AtomicU32::new(0);
    for attachment in one_of_each() {
        assert!(answer(Plain(1.0), attachment.clone(), 0.0).0, "{attachment:?}");
        let before = CALLS.load(Ordering::Relaxed);
        assert_eq!(answer(Refusing(&CALLS), attachment.clone(), 0.0), (false, None), "{attachment:?}");
        assert!(CALLS.load(Ordering::Relaxed) > before, "a visitor was called for {attachment:?}");
    }
}

fn posts(count: u8) -> List {
    List((0..count).map(|x| Rect::new(0.5, 2.0).at(vec2(f32::from(x), 0.0)).into()).collect())
}

#[test]
fn the_pieces_of_a_composite_visit_a_users_shape() {
    assert_depth(answer(posts(3), Plain(1.0), 3.1), 0.15);
    assert_eq!(
        answer(posts(3), ByContact(9.0), 5.0),
        (false, None),
        "no hull of a composite is passed to the override"
    );
    static CALLS: AtomicU32 = AtomicU32::new(0);
    assert_eq!(answer(posts(3), Refusing(&CALLS), 2.0), (false, None));
    assert!(CALLS.load(Ordering::Relaxed) > 0, "the posts are rectangles, which the override refuses");
}

#[test]
fn a_composite_that_overrides_the_visitor_of_support_shapes_answers() {
    assert_depth(answer(ListByContact(posts(1), 3.0), Plain(1.0), 3.5), 0.5);
    assert_depth(answer(ListByContact(posts(1), 3.0), ByContact(0.1), 3.5), 0.5);
    assert_depth(answer(ListByContact(posts(1), 3.0), Circle::new(1.0), 3.5), 0.5);
}

#[test]
fn two_composites_touch_if_the_pieces_of_either_touch_the_other() {
    let (touches, contact) = answer(posts(3), posts(3), 2.4);
    let contact = contact.expect("the last post of the first touches the first post of the second");
    assert!(touches && (contact.depth - 0.1).abs() < 1e-5, "{contact:?}");
    assert_eq!(contact.pieces, [2, 0]);
    assert_eq!(answer(posts(3), posts(3), 2.6), (false, None));
    // Only one direction finds this touch: circles of the list visit the override.
    let balls = List(vec![Circle::new(0.5).into()]);
    assert_depth(answer(ListByContact(posts(1), 3.0), balls, 3.4), 0.1);
}

#[test]
fn equally_deep_contacts_of_two_composites_do_not_depend_on_the_order() {
    // Each post of one stands on two posts of the other.
    let shifted =
        |shift: f32| List((0..4_u8).map(|x| Rect::new(0.5, 2.0).at(vec2(f32::from(x) + shift, 0.0)).into()).collect());
    for shift in [0.25, 0.4, 1.5] {
        answer(shifted(0.0), shifted(shift), 0.0);
        answer(shifted(shift), shifted(0.0), 1.1);
    }
}

#[test]
fn built_in_composites_answer_the_same_in_either_order() {
    let line = Polyline::new(&[vec2(-1.0, 0.0), vec2(0.0, 0.3), vec2(1.0, 0.0), vec2(2.0, 0.4)]).unwrap();
    let key = Compound::new([Shape::from(Circle::new(0.4)), Rect::new(1.0, 0.2).at(vec2(0.7, 0.0)).into()]).unwrap();
    let tiles = Tiles::from_tiles(4, 2, vec2(0.5, 0.5), |x, y| if x == y { Tile::FULL } else { Tile::EMPTY }).unwrap();
    let composites: [Attachment; 4] = [line.into(), key.into(), tiles.into(), posts(3).into()];
    for (index, first) in composites.iter().enumerate() {
        for second in &composites[index + 1..] {
            for step in 0_u8..20 {
                answer(first.clone(), second.clone(), f32::from(step) * 0.137 - 1.3);
            }
        }
    }
}

#[test]
fn builtin_yields_every_built_in_type_and_no_other() {
    let names: Vec<String> = one_of_each()
        .iter()
        .map(|attachment| match attachment.builtin().expect("the type is built in") {
            Builtin::Circle(_) => "Circle".into(),
            Builtin::Segment(_) => "Segment".into(),
            Builtin::Capsule(_) => "Capsule".into(),
            Builtin::Rect(_) => "Rect".into(),
            Builtin::Polygon(_) => "Polygon".into(),
            Builtin::Ellipse(_) => "Ellipse".into(),
            Builtin::Rounded(_) => "Rounded".into(),
            Builtin::Polyline(_) => "Polyline".into(),
            Builtin::Compound(_) => "Compound".into(),
            Builtin::Tiles(_) => "Tiles".into(),
            other => format!("{other:?}"),
        })
        .collect();
    assert_eq!(
        names,
        ["Circle", "Segment", "Capsule", "Rect", "Polygon", "Ellipse", "Rounded", "Polyline", "Compound", "Tiles"]
    );
    assert!(Attachment::new(Plain(1.0)).builtin().is_none() && Attachment::new(posts(2)).builtin().is_none());
    let shape = Attachment::new(Shape::from(Rect::new(1.0, 2.0)));
    assert!(matches!(shape.builtin(), Some(Builtin::Rect(rect)) if *rect == Rect::new(1.0, 2.0)));
}

#[test]
fn a_boxed_collider_is_clone_and_becomes_an_attachment() {
    let boxed: Box<dyn Collider> = Box::new(Circle::new(2.0));
    let attachment = Attachment::from(boxed.clone());
    assert_eq!(attachment.collider_as(), Some(&Circle::new(2.0)));
    fn is_send_and_sync<T: Send + Sync + Debug>(_: &T) {}
    is_send_and_sync(&SupportShape::new(&*boxed, &Affine2::IDENTITY));
}
