//! Small versions of images for lists. The images come from browsers and were stored by this program, but they are
//! decoded like untrusted ones: within limits, and not on the threads that answer requests.

use std::io::Cursor;

use image::{ExtendedColorType, ImageFormat, ImageReader, Limits, codecs::jpeg::JpegEncoder};

/// Width in pixels: twice the displayed width, for high-resolution screens.
const WIDTH: u32 = 320;
const HEIGHT: u32 = 320;
const QUALITY: u8 = 72;
/// Maximum number of bytes that an image may need while it is decoded.
const MAX_DECODED_BYTES: u64 = 256 * 1024 * 1024;

/// The media type of a thumbnail.
pub(crate) const MEDIA_TYPE: &str = "image/jpeg";

/// The image in a few kilobytes; `None` if it cannot be decoded.
pub(crate) fn small(bytes: &[u8], media_type: &str) -> Option<Vec<u8>> {
    let mut reader = ImageReader::with_format(Cursor::new(bytes), ImageFormat::from_mime_type(media_type)?);
    let mut limits = Limits::default();
    limits.max_alloc = Some(MAX_DECODED_BYTES);
    reader.limits(limits);
    let whole = reader.decode().inspect_err(|error| tracing::debug!(%error, "a picture cannot be read")).ok()?;
    // Smaller images are not enlarged.
    let (width, height) = (WIDTH.min(whole.width()), HEIGHT.min(whole.height()));
    let small = whole.thumbnail(width, height).into_rgb8();
    let mut made = Vec::new();
    JpegEncoder::new_with_quality(&mut made, QUALITY)
        .encode(&small, small.width(), small.height(), ExtendedColorType::Rgb8)
        .ok()?;
    Some(made)
}

#[cfg(test)]
mod tests {
    use image::{DynamicImage, RgbImage};

    use super::*;

    fn picture(width: u32, height: u32, format: ImageFormat) -> Vec<u8> {
        let painted = RgbImage::from_fn(width, height, |x, y| [(x % 256) as u8, (y % 256) as u8, 80].into());
        let mut bytes = Cursor::new(Vec::new());
        DynamicImage::from(painted).write_to(&mut bytes, format).unwrap();
        bytes.into_inner()
    }

    #[test]
    fn every_kind_of_picture_becomes_a_small_jpeg_of_its_shape() {
        for (format, media_type) in
            [(ImageFormat::Jpeg, "image/jpeg"), (ImageFormat::Png, "image/png"), (ImageFormat::WebP, "image/webp")]
        {
            let whole = picture(1280, 720, format);
            let made = small(&whole, media_type).unwrap();
            let read = image::load_from_memory_with_format(&made, ImageFormat::Jpeg).unwrap();
            assert_eq!((read.width(), read.height()), (320, 180), "{media_type}");
            assert!(made.len() < 20_000, "{media_type}: {} bytes", made.len());
        }
    }

    #[test]
    fn what_is_small_already_is_not_blown_up_and_no_picture_is_none() {
        let made = small(&picture(40, 30, ImageFormat::Png), "image/png").unwrap();
        let read = image::load_from_memory(&made).unwrap();
        assert_eq!((read.width(), read.height()), (40, 30));
        assert_eq!(small(b"no picture", "image/png"), None);
        assert_eq!(small(&made, "text/html"), None);
    }
}
