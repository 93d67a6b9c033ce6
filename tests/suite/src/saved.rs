//! Scenes as bytes, in the format of `postcard`.

use hitgraph::{SavedScene, Scene};

use super::Squircle;

/// Returns a scene as bytes. Its user shapes must be squircles.
pub fn to_bytes(scene: &Scene) -> Vec<u8> {
    let saved = scene.save_with(|attachment| attachment.collider_as::<Squircle>().map(|squircle| squircle.0)).unwrap();
    postcard::to_allocvec(&saved).unwrap()
}

/// Returns the scene of bytes, or the error.
pub fn from_bytes(bytes: &[u8]) -> Result<Scene, String> {
    let saved: SavedScene<f32> = postcard::from_bytes(bytes).map_err(|error| error.to_string())?;
    Scene::load_with(saved, |radius| Some(Box::new(Squircle(radius)))).map_err(|error| error.to_string())
}
