//! A picture made small for lists. Pictures come from browsers and are written by us, yet they are read here like anybody's:
//! within limits, off the threads that answer.

use std::io::Cursor;

use image::{ExtendedColorType, ImageFormat, ImageReader, Limits, codecs::jpeg::JpegEncoder};

/// Pixels: what a list shows, twice over for fine screens.
const WIDTH: u32 = 320;
const HEIGHT: u32 = 320;
const QUALITY: u8 = 72;
/// The most bytes that a picture may take while it is read.
const LARGEST: u64 = 256 * 1024 * 1024;

/// What a thumbnail is.
pub(crate) const MEDIA_TYPE: &str = "image/jpeg";

/// The picture in a few kilobytes, or nothing when it is none that can be read.
pub(crate) fn small(bytes: &[u8], media_type: &str) -> Option<Vec<u8>> {
    let mut reader = ImageReader::with_format(Cursor::new(bytes), ImageFormat::from_mime_type(media_type)?);
    let mut limits = Limits::default();
    limits.max_alloc = Some(LARGEST);
    reader.limits(limits);
    let whole = reader.decode().inspect_err(|error| tracing::debug!(%error, "a picture cannot be read")).ok()?;
    // Smaller ones stay as large as they are.
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
