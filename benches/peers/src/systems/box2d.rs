//! Box2D v3: its `b2DynamicTree` with fat boxes, `b2ShapeDistance` and the `b2Collide` functions, called directly.
//!
//! The safe wrapper checks every argument, which would slow Box2D down, so this calls the C functions. It follows
//! Box2D's own broad phase: a proxy is enlarged when its shape leaves the fat box, and the enlarged part of the tree is
//! rebuilt. Only the C compiler optimises C; no call is inlined across languages.
#![expect(unsafe_code, reason = "C functions; every pointer refers to a local or to data that `self` owns")]

use std::ffi::{c_int, c_void};

use boxdd_sys::ffi::*;
use glam::Vec2;

use crate::data::{Form, Pose};

/// The margin of a fat box, as `B2_AABB_MARGIN`.
const MARGIN: f32 = 0.1;

/// The distance below which shapes overlap, as in Box2D's own overlap test.
const TOUCHING: f32 = 10.0 * f32::EPSILON;

/// A shape in its own frame.
#[derive(Clone, Copy)]
enum Kind {
    Circle(b2Circle),
    Segment(b2Segment),
    Capsule(b2Capsule),
    Polygon(b2Polygon),
}

/// A placed shape with the proxy for `b2ShapeDistance`.
#[derive(Clone, Copy)]
pub struct Placed {
    kind: Kind,
    proxy: b2ShapeProxy,
    at: b2Transform,
}

pub struct Box2d {
    tree: b2DynamicTree,
    placed: Vec<Placed>,
    proxies: Vec<c_int>,
    fat: Vec<b2AABB>,
    tight: Vec<b2AABB>,
    pairs: Vec<[u32; 2]>,
    contacts: Vec<([u32; 2], b2LocalManifold)>,
}

fn vec2(v: Vec2) -> b2Vec2 {
    b2Vec2 { x: v.x, y: v.y }
}

fn transform(pose: Pose) -> b2Transform {
    let (s, c) = pose.angle.sin_cos();
    b2Transform { p: vec2(pose.position), q: b2Rot { c, s } }
}

/// Returns the transform of `b` relative to `a`. Box2D inlines this from a header.
fn inverse_mul(a: b2Transform, b: b2Transform) -> b2Transform {
    let turn_back = |v: b2Vec2| b2Vec2 { x: a.q.c * v.x + a.q.s * v.y, y: a.q.c * v.y - a.q.s * v.x };
    let q = b2Rot { c: a.q.c * b.q.c + a.q.s * b.q.s, s: a.q.c * b.q.s - a.q.s * b.q.c };
    b2Transform { p: turn_back(b2Vec2 { x: b.p.x - a.p.x, y: b.p.y - a.p.y }), q }
}

fn flipped(mut manifold: b2LocalManifold) -> b2LocalManifold {
    (manifold.normal.x, manifold.normal.y) = (-manifold.normal.x, -manifold.normal.y);
    manifold
}

impl Kind {
    fn new(form: Form) -> Self {
        let x = |x: f32| b2Vec2 { x, y: 0.0 };
        match form {
            Form::Circle { radius } => Self::Circle(b2Circle { center: x(0.0), radius }),
            Form::Segment { half } => Self::Segment(b2Segment { point1: x(-half), point2: x(half) }),
            Form::Capsule { half, radius } => Self::Capsule(b2Capsule { center1: x(-half), center2: x(half), radius }),
            Form::Rect { half } => Self::Polygon(unsafe { b2MakeBox(half.x, half.y) }),
            Form::Octagon { radius } => {
                let points = Form::octagon(radius).map(vec2);
                Self::Polygon(unsafe { b2MakePolygon(&b2ComputeHull(points.as_ptr(), 8), 0.0) })
            }
        }
    }

    fn proxy(&self) -> b2ShapeProxy {
        let make = |points: &[b2Vec2], radius| unsafe { b2MakeProxy(points.as_ptr(), points.len() as c_int, radius) };
        match self {
            Self::Circle(circle) => make(&[circle.center], circle.radius),
            Self::Segment(segment) => make(&[segment.point1, segment.point2], 0.0),
            Self::Capsule(capsule) => make(&[capsule.center1, capsule.center2], capsule.radius),
            Self::Polygon(polygon) => make(&polygon.vertices[..polygon.count as usize], polygon.radius),
        }
    }

    /// Returns a segment as a capsule, for the pair that has no `b2Collide` function.
    fn as_capsule(segment: &b2Segment) -> b2Capsule {
        b2Capsule { center1: segment.point1, center2: segment.point2, radius: 0.0 }
    }
}

impl Placed {
    pub fn new(form: Form, pose: Pose) -> Self {
        let kind = Kind::new(form);
        Self { kind, proxy: kind.proxy(), at: transform(pose) }
    }

    fn aabb(&self) -> b2AABB {
        unsafe {
            match &self.kind {
                Kind::Circle(circle) => b2ComputeCircleAABB(circle, self.at),
                Kind::Segment(segment) => b2ComputeSegmentAABB(segment, self.at),
                Kind::Capsule(capsule) => b2ComputeCapsuleAABB(capsule, self.at),
                Kind::Polygon(polygon) => b2ComputePolygonAABB(polygon, self.at),
            }
        }
    }

    pub fn overlaps(&self, other: &Self) -> bool {
        let input = b2DistanceInput {
            proxyA: self.proxy,
            proxyB: other.proxy,
            transform: inverse_mul(self.at, other.at),
            useRadii: true,
        };
        let mut cache = b2SimplexCache { count: 0, indexA: [0; 3], indexB: [0; 3] };
        unsafe { b2ShapeDistance(&input, &mut cache, std::ptr::null_mut(), 0) }.distance < TOUCHING
    }

    /// Returns the manifold if the shapes touch. Box2D's manifolds also contain points that are slightly apart.
    pub fn contact(&self, other: &Self) -> Option<b2LocalManifold> {
        let manifold = self.collide(other);
        let points = &manifold.points[..manifold.pointCount as usize];
        points.iter().any(|point| point.separation <= 0.0).then_some(manifold)
    }

    fn collide(&self, other: &Self) -> b2LocalManifold {
        let xf = inverse_mul(self.at, other.at);
        unsafe {
            match (&self.kind, &other.kind) {
                (Kind::Circle(a), Kind::Circle(b)) => b2CollideCircles(a, b, xf),
                (Kind::Segment(a), Kind::Circle(b)) => b2CollideSegmentAndCircle(a, b, xf),
                (Kind::Segment(a), Kind::Segment(b)) => {
                    b2CollideCapsules(&Kind::as_capsule(a), &Kind::as_capsule(b), xf)
                }
                (Kind::Segment(a), Kind::Capsule(b)) => b2CollideSegmentAndCapsule(a, b, xf),
                (Kind::Segment(a), Kind::Polygon(b)) => b2CollideSegmentAndPolygon(a, b, xf),
                (Kind::Capsule(a), Kind::Circle(b)) => b2CollideCapsuleAndCircle(a, b, xf),
                (Kind::Capsule(a), Kind::Capsule(b)) => b2CollideCapsules(a, b, xf),
                (Kind::Polygon(a), Kind::Circle(b)) => b2CollidePolygonAndCircle(a, b, xf),
                (Kind::Polygon(a), Kind::Capsule(b)) => b2CollidePolygonAndCapsule(a, b, xf),
                (Kind::Polygon(a), Kind::Polygon(b)) => b2CollidePolygons(a, b, xf),
                _ => flipped(other.collide(self)),
            }
        }
    }
}

fn grown(tight: b2AABB) -> b2AABB {
    b2AABB {
        lowerBound: b2Vec2 { x: tight.lowerBound.x - MARGIN, y: tight.lowerBound.y - MARGIN },
        upperBound: b2Vec2 { x: tight.upperBound.x + MARGIN, y: tight.upperBound.y + MARGIN },
    }
}

fn contains(outer: &b2AABB, inner: &b2AABB) -> bool {
    (outer.lowerBound.x <= inner.lowerBound.x)
        & (outer.lowerBound.y <= inner.lowerBound.y)
        & (outer.upperBound.x >= inner.upperBound.x)
        & (outer.upperBound.y >= inner.upperBound.y)
}

/// Calls a closure from C code.
unsafe extern "C" fn visit<F: FnMut(u32)>(_: c_int, user: u64, context: *mut c_void) -> bool {
    unsafe { (*context.cast::<F>())(user as u32) };
    true
}

/// Calls a closure from C code. The closure returns the fraction to which the ray is clipped.
unsafe extern "C" fn follow<F: FnMut(&b2RayCastInput, u32) -> f32>(
    input: *const b2RayCastInput,
    _: c_int,
    user: u64,
    context: *mut c_void,
) -> f32 {
    unsafe { (*context.cast::<F>())(&*input, user as u32) }
}

impl Box2d {
    pub fn new(forms: &[Form], poses: &[Pose]) -> Self {
        let placed: Vec<_> = forms.iter().zip(poses).map(|(form, pose)| Placed::new(*form, *pose)).collect();
        let tight: Vec<_> = placed.iter().map(Placed::aabb).collect();
        let fat: Vec<_> = tight.iter().map(|tight| grown(*tight)).collect();
        let mut tree = unsafe { b2DynamicTree_Create(forms.len() as c_int) };
        let proxies = fat.iter().enumerate();
        let proxies = proxies.map(|(one, fat)| unsafe { b2DynamicTree_CreateProxy(&mut tree, *fat, 1, one as u64) });
        let proxies = proxies.collect();
        unsafe { b2DynamicTree_Rebuild(&mut tree, true) };
        Self { tree, placed, proxies, fat, tight, pairs: Vec::new(), contacts: Vec::new() }
    }

    pub fn place(&mut self, poses: &[Pose]) {
        for (one, pose) in poses.iter().enumerate() {
            self.placed[one].at = transform(*pose);
            self.tight[one] = self.placed[one].aabb();
            if !contains(&self.fat[one], &self.tight[one]) {
                self.fat[one] = grown(self.tight[one]);
                unsafe { b2DynamicTree_EnlargeProxy(&mut self.tree, self.proxies[one], self.fat[one]) };
            }
        }
        unsafe { b2DynamicTree_Rebuild(&mut self.tree, false) };
    }

    fn query<F: FnMut(u32)>(&self, region: b2AABB, mut found: F) {
        let context = (&raw mut found).cast::<c_void>();
        unsafe { b2DynamicTree_Query(&self.tree, region, u64::MAX, Some(visit::<F>), context) };
    }

    pub fn pairs(&mut self) -> usize {
        let mut pairs = std::mem::take(&mut self.pairs);
        pairs.clear();
        for (one, placed) in self.placed.iter().enumerate() {
            self.query(self.tight[one], |other| {
                if one < other as usize && placed.overlaps(&self.placed[other as usize]) {
                    pairs.push([one as u32, other]);
                }
            });
        }
        self.pairs = pairs;
        self.pairs.len()
    }

    pub fn contacts(&mut self) -> usize {
        let mut contacts = std::mem::take(&mut self.contacts);
        contacts.clear();
        for (one, placed) in self.placed.iter().enumerate() {
            self.query(self.tight[one], |other| {
                if one < other as usize
                    && let Some(manifold) = placed.contact(&self.placed[other as usize])
                {
                    contacts.push(([one as u32, other], manifold));
                }
            });
        }
        self.contacts = contacts;
        self.contacts.len()
    }

    /// Returns the distance of the first hit.
    pub fn ray(&self, origin: Vec2, direction: Vec2, most: f32) -> Option<f32> {
        let input = b2RayCastInput { origin: vec2(origin), translation: vec2(direction * most), maxFraction: 1.0 };
        let mut best = None;
        let mut hit = |input: &b2RayCastInput, one: u32| {
            let placed = &self.placed[one as usize];
            let turn = b2Transform { p: b2Vec2 { x: 0.0, y: 0.0 }, q: placed.at.q };
            let seen = |p: b2Vec2| inverse_mul(placed.at, b2Transform { p, q: placed.at.q }).p;
            let turned = inverse_mul(turn, b2Transform { p: input.translation, q: turn.q }).p;
            let local = b2RayCastInput { origin: seen(input.origin), translation: turned, ..*input };
            let output = unsafe {
                match &placed.kind {
                    Kind::Circle(circle) => b2RayCastCircle(circle, &local),
                    Kind::Segment(segment) => b2RayCastSegment(segment, &local, false),
                    Kind::Capsule(capsule) => b2RayCastCapsule(capsule, &local),
                    Kind::Polygon(polygon) => b2RayCastPolygon(polygon, &local),
                }
            };
            if !output.hit {
                return input.maxFraction;
            }
            best = Some(output.fraction * most);
            output.fraction
        };
        fn cast<F: FnMut(&b2RayCastInput, u32) -> f32>(tree: &b2DynamicTree, input: &b2RayCastInput, hit: &mut F) {
            let context = std::ptr::from_mut(hit).cast::<c_void>();
            unsafe { b2DynamicTree_RayCast(tree, input, u64::MAX, Some(follow::<F>), context) };
        }
        cast(&self.tree, &input, &mut hit);
        best
    }

    pub fn point(&self, point: Vec2, found: &mut Vec<u32>) {
        found.clear();
        let region = b2AABB { lowerBound: vec2(point), upperBound: vec2(point) };
        self.query(region, |one| {
            let placed = &self.placed[one as usize];
            let local = inverse_mul(placed.at, b2Transform { p: vec2(point), q: placed.at.q }).p;
            let inside = unsafe {
                match &placed.kind {
                    Kind::Circle(circle) => b2PointInCircle(circle, local),
                    // A segment has no area.
                    Kind::Segment(_) => false,
                    Kind::Capsule(capsule) => b2PointInCapsule(capsule, local),
                    Kind::Polygon(polygon) => b2PointInPolygon(polygon, local),
                }
            };
            if inside {
                found.push(one);
            }
        });
    }

    /// Finds all shapes that touch a shape.
    pub fn region(&self, shape: &Placed, found: &mut Vec<u32>) {
        found.clear();
        self.query(shape.aabb(), |one| {
            if shape.overlaps(&self.placed[one as usize]) {
                found.push(one);
            }
        });
    }
}

impl Drop for Box2d {
    fn drop(&mut self) {
        unsafe { b2DynamicTree_Destroy(&mut self.tree) };
    }
}
