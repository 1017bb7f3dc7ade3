//! settling
