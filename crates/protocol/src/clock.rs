//! The time of the machine, within the range that timestamps and ids can represent. A clock that is set to another
//! century must not end the program in a panic, because the message about the clock needs a time itself.

use std::time::SystemTime;

use jiff::Timestamp;
use uuid::{NoContext, Uuid};

/// The time now, or the nearest one that can be represented.
pub(crate) fn now() -> Timestamp {
    of(SystemTime::now())
}

/// A new id that sorts by its creation time.
pub(crate) fn new_id() -> Uuid {
    let time = SystemTime::now();
    let now = of(time);
    if Timestamp::try_from(time).is_ok_and(|exact| exact == now) {
        // Ids of the same millisecond sort in the order of their creation.
        return Uuid::now_v7();
    }
    Uuid::new_v7(uuid::Timestamp::from_unix(NoContext, now.as_second().unsigned_abs(), 0))
}

fn of(time: SystemTime) -> Timestamp {
    let nearest = if time < SystemTime::UNIX_EPOCH { Timestamp::UNIX_EPOCH } else { Timestamp::MAX };
    Timestamp::try_from(time).map_or(nearest, |time| time.max(Timestamp::UNIX_EPOCH))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn a_time_out_of_range_becomes_the_nearest_one() {
        let century = Duration::from_secs(100 * 365 * 24 * 3600);
        assert_eq!(of(SystemTime::UNIX_EPOCH - century), Timestamp::UNIX_EPOCH);
        assert_eq!(of(SystemTime::UNIX_EPOCH + century * 100), Timestamp::MAX);
        assert_eq!(of(SystemTime::UNIX_EPOCH + century).as_second(), 100 * 365 * 24 * 3600);
        assert!(new_id() < new_id());
    }
}
