//! Tests of the test support.

mod apps;
