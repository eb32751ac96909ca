//! The environment's clock: SQLite's idea of now is the release date at midnight UTC, and local time is UTC.
//!
//! A copy is opened through a VFS of its date, which is the default one with the two clock methods replaced. So every
//! form of now (`'now'`, `CURRENT_TIMESTAMP`, `unixepoch()`, …) is right at native speed and inside generated columns and
//! views too, which overriding the functions would not be.
//!
//! Not here: any other clock. Deadlines use the machine's monotonic one.
#![allow(unsafe_code)] // one of the three modules that may; each block is argued

use jiff::civil::Date;
use rusqlite::ffi;
use std::collections::BTreeSet;
use std::ffi::{CString, c_int, c_void};
use std::ptr;
use std::sync::{Mutex, PoisonError};

/// Days from the Julian epoch (noon, 24 November 4714 BC, Gregorian) to midnight before 1 January 1970, in
/// milliseconds: 2440587.5 days.
const JULIAN_UNIX_EPOCH_MS: i64 = 210_866_760_000_000;
const DAY_MS: i64 = 86_400_000;

/// A VFS with its date. SQLite hands the methods a pointer to the first field, which is one to the whole (repr(C)).
#[repr(C)]
struct FrozenClock {
    vfs: ffi::sqlite3_vfs,
    now_julian_ms: i64,
}

/// Registers the VFS of a date, if that has not been done, and gives its name.
///
/// A registered VFS stays for the life of the process: about 200 bytes for each date that is opened.
pub(in crate::query) fn register(today: Date) -> Result<String, rusqlite::Error> {
    static REGISTERED: Mutex<BTreeSet<Date>> = Mutex::new(BTreeSet::new());
    let name = format!("casebook-clock-{today}");
    let mut registered = REGISTERED.lock().unwrap_or_else(PoisonError::into_inner);
    if !registered.contains(&today) {
        install(&name, julian_ms(today))?;
        registered.insert(today);
    }
    Ok(name)
}

/// Midnight UTC of a date as SQLite counts time: milliseconds since the Julian epoch.
fn julian_ms(date: Date) -> i64 {
    let days = (date - Date::constant(1970, 1, 1)).get_days();
    JULIAN_UNIX_EPOCH_MS + i64::from(days) * DAY_MS
}

fn install(name: &str, now_julian_ms: i64) -> Result<(), rusqlite::Error> {
    let failure = |code| rusqlite::Error::SqliteFailure(ffi::Error::new(code), None);
    let name = CString::new(name).map_err(rusqlite::Error::NulError)?;
    // SAFETY: initialising is idempotent and thread-safe; a null name asks for the default VFS, whose record SQLite
    // keeps for the life of the process.
    let default = unsafe {
        let code = ffi::sqlite3_initialize();
        if code != ffi::SQLITE_OK {
            return Err(failure(code));
        }
        ffi::sqlite3_vfs_find(ptr::null())
    };
    if default.is_null() {
        return Err(failure(ffi::SQLITE_ERROR));
    }
    // SAFETY: `default` is a valid record (not null, see above). A copy of it is a valid VFS of its own: its methods
    // take their state from `pAppData`, which is copied and static.
    let mut vfs = unsafe { ptr::read(default) };
    vfs.pNext = ptr::null_mut();
    vfs.zName = name.into_raw(); // never freed: SQLite keeps the pointer as long as the VFS is registered
    vfs.xCurrentTime = Some(current_time);
    vfs.xCurrentTimeInt64 = Some(current_time_int64);
    let clock = Box::leak(Box::new(FrozenClock { vfs, now_julian_ms }));
    // SAFETY: the record lives for ever (leaked) and is not touched again from here; SQLite links it into its list under
    // its own lock. `makeDflt` 0: the default VFS stays what it was.
    let code = unsafe { ffi::sqlite3_vfs_register(ptr::from_mut(clock).cast(), 0) };
    if code != ffi::SQLITE_OK {
        return Err(failure(code));
    }
    // SAFETY: the verb takes an int and, for 2, a function of this type (sqlite3.c, sqlite3_test_control); the function
    // stays valid. It is process-wide: no part of the program wants SQLite's local time to be anything but UTC.
    let code = unsafe {
        let utc: unsafe extern "C" fn(*const c_void, *mut c_void) -> c_int = utc_for_local_time;
        ffi::sqlite3_test_control(ffi::SQLITE_TESTCTRL_LOCALTIME_FAULT, 2 as c_int, utc)
    };
    if code == ffi::SQLITE_OK { Ok(()) } else { Err(failure(code)) }
}

unsafe extern "C" fn current_time_int64(vfs: *mut ffi::sqlite3_vfs, now: *mut ffi::sqlite3_int64) -> c_int {
    // SAFETY: SQLite passes the record that was registered, the first field of a leaked `FrozenClock`, and a place for
    // the result.
    unsafe { *now = (*vfs.cast::<FrozenClock>()).now_julian_ms };
    ffi::SQLITE_OK
}

unsafe extern "C" fn current_time(vfs: *mut ffi::sqlite3_vfs, now: *mut f64) -> c_int {
    // SAFETY: as above. Days since the Julian epoch of any date fit a double exactly to the half day.
    #[allow(clippy::cast_precision_loss)]
    unsafe {
        *now = (*vfs.cast::<FrozenClock>()).now_julian_ms as f64 / DAY_MS as f64;
    }
    ffi::SQLITE_OK
}

/// Stands for `localtime_r`: breaks a time down as UTC. Non-zero is failure.
unsafe extern "C" fn utc_for_local_time(time: *const c_void, broken_down: *mut c_void) -> c_int {
    // SAFETY: SQLite passes a `const time_t*` and a `struct tm*` (its comment at the verb); both are valid for the call.
    let result = unsafe { libc::gmtime_r(time.cast::<libc::time_t>(), broken_down.cast::<libc::tm>()) };
    c_int::from(result.is_null())
}

#[cfg(test)]
mod tests {
    use super::julian_ms;
    use jiff::civil::date;

    #[test]
    fn midnight_is_half_a_julian_day() {
        // sqlite3: SELECT julianday('1970-01-01'), julianday('2026-06-30') gives 2440587.5, 2461221.5
        assert_eq!(julian_ms(date(1970, 1, 1)), 2_440_587 * 86_400_000 + 43_200_000);
        assert_eq!(julian_ms(date(2026, 6, 30)), 2_461_221 * 86_400_000 + 43_200_000);
    }
}
