//! How much memory SQLite took for the statement that a thread is running.
//!
//! SQLite's own count is one for the process: a statement that hoards would stop those of other trials, at moments that
//! nobody could repeat. So its allocator is wrapped before SQLite starts, and each thread counts what it takes and gives
//! back. A statement compiles, runs and ends on one thread, so the difference is its own.
#![allow(unsafe_code)] // one of the three modules that may; each block is argued

use rusqlite::ffi;
use std::cell::Cell;
use std::ffi::{c_int, c_void};
use std::marker::PhantomData;
use std::ptr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

thread_local! {
    /// Bytes that this thread has taken from SQLite's allocator, less those it gave back. It may be negative: memory may
    /// be freed by another thread than the one that took it. Only differences mean something.
    static HELD: Cell<i64> = const { Cell::new(0) };
    /// What `HELD` may reach before this thread is given no more.
    static CEILING: Cell<i64> = const { Cell::new(i64::MAX) };
    /// Null, or a flag that says whether this thread's time is up; it is then given nothing any more.
    static EXPIRED: Cell<*const AtomicBool> = const { Cell::new(ptr::null()) };
}

/// A ceiling for what this thread holds, and a flag for when its time is up, in force until this is dropped. SQLite then
/// reports `SQLITE_NOMEM`, of which a connection recovers. It must be dropped on the thread that made it (no Send).
#[derive(Debug)]
pub(in crate::query) struct Bound {
    expired: Arc<AtomicBool>,
    _stays_on_its_thread: PhantomData<*const ()>,
}

impl Bound {
    /// A ceiling as [`held`] counts. Allocations fail from the moment that `expired` is set.
    pub(in crate::query) fn at(ceiling: i64, expired: Arc<AtomicBool>) -> Self {
        CEILING.set(ceiling);
        EXPIRED.set(Arc::as_ptr(&expired));
        Self { expired, _stays_on_its_thread: PhantomData }
    }

    /// Lets a statement that writes take memory when its time is up: undoing what it wrote needs some.
    pub(in crate::query) fn ignore_time(&self) {
        debug_assert!(ptr::eq(EXPIRED.get(), Arc::as_ptr(&self.expired)));
        EXPIRED.set(ptr::null());
    }
}

impl Drop for Bound {
    fn drop(&mut self) {
        CEILING.set(i64::MAX);
        EXPIRED.set(ptr::null());
    }
}

/// Whether this thread may hold so many bytes more.
fn has_room(more: i64) -> bool {
    let expired = EXPIRED.get();
    // SAFETY: not null only while a `Bound` of this thread lives, which keeps the flag alive.
    let is_expired = !expired.is_null() && unsafe { &*expired }.load(Ordering::Relaxed);
    !is_expired && HELD.get().saturating_add(more) <= CEILING.get()
}

/// SQLite's allocator as it was before it was wrapped.
struct Original(ffi::sqlite3_mem_methods);

// SAFETY: function pointers and a null application pointer, written once and then only read; the functions themselves
// may be called from any thread (they are SQLite's default allocator).
unsafe impl Send for Original {}
// SAFETY: as above.
unsafe impl Sync for Original {}

/// The original for the functions below, set before they can be called.
static ALLOCATOR: OnceLock<Original> = OnceLock::new();

/// Whether the counting allocator is in place.
static COUNTING: OnceLock<bool> = OnceLock::new();

/// Starts counting by thread. It must come before anything else in the process uses SQLite; later it changes nothing,
/// and [`held`] then falls back to the count of the whole process. Calling it again is free.
pub(in crate::query) fn count_by_thread() {
    COUNTING.get_or_init(install);
}

/// Bytes held; only the difference between two moments on one thread means something.
pub(in crate::query) fn held() -> i64 {
    if COUNTING.get() == Some(&true) {
        HELD.get()
    } else {
        // SAFETY: takes no argument and may be called at any time (sqlite.org/c3ref/memory_highwater.html).
        unsafe { ffi::sqlite3_memory_used() }
    }
}

fn install() -> bool {
    let mut original = ffi::sqlite3_mem_methods {
        xMalloc: None,
        xFree: None,
        xRealloc: None,
        xSize: None,
        xRoundup: None,
        xInit: None,
        xShutdown: None,
        pAppData: ptr::null_mut(),
    };
    // SAFETY: the verb takes a pointer to a record of this type and fills it. Before initialisation SQLite is not in use
    // by another thread, which is what sqlite3_config asks for; after it the call is refused with SQLITE_MISUSE.
    let code = unsafe { ffi::sqlite3_config(ffi::SQLITE_CONFIG_GETMALLOC, &raw mut original) };
    if code != ffi::SQLITE_OK || original.xMalloc.is_none() {
        return false;
    }
    let counting = ffi::sqlite3_mem_methods {
        xMalloc: Some(take),
        xFree: Some(give_back),
        xRealloc: Some(resize),
        ..original
    };
    if ALLOCATOR.set(Original(original)).is_err() {
        return false;
    }
    // SAFETY: the verb takes a pointer to a record of this type and copies it; the functions in it stay valid.
    let code = unsafe { ffi::sqlite3_config(ffi::SQLITE_CONFIG_MALLOC, &raw const counting) };
    if code != ffi::SQLITE_OK {
        return false;
    }
    // SQLite's own count takes one lock of the process for each allocation: two statements at a time would run slower than
    // one after the other. Nobody reads it any more.
    // SAFETY: the verb takes an int; as above, nobody uses SQLite yet. If it is refused, the count goes on, which only costs.
    let _ = unsafe { ffi::sqlite3_config(ffi::SQLITE_CONFIG_MEMSTATUS, 0 as c_int) };
    true
}

/// The size SQLite's allocator says a block has.
///
/// # Safety
/// `block` is null or a live block of SQLite's allocator.
unsafe fn size(original: &Original, block: *mut c_void) -> i64 {
    match original.0.xSize {
        // SAFETY: by this function's contract.
        Some(size) if !block.is_null() => i64::from(unsafe { size(block) }),
        _ => 0,
    }
}

unsafe extern "C" fn take(bytes: c_int) -> *mut c_void {
    let Some((original, allocate)) = ALLOCATOR.get().and_then(|it| Some((it, it.0.xMalloc?))) else {
        return ptr::null_mut();
    };
    if !has_room(i64::from(bytes)) {
        return ptr::null_mut();
    }
    // SAFETY: the original function with the argument SQLite gave; its result is null or a live block.
    unsafe {
        let block = allocate(bytes);
        HELD.set(HELD.get() + size(original, block));
        block
    }
}

unsafe extern "C" fn give_back(block: *mut c_void) {
    let Some((original, free)) = ALLOCATOR.get().and_then(|it| Some((it, it.0.xFree?))) else { return };
    // SAFETY: SQLite frees a block that it took through `take` or `resize`; its size is read before it goes.
    unsafe {
        HELD.set(HELD.get() - size(original, block));
        free(block);
    }
}

unsafe extern "C" fn resize(block: *mut c_void, bytes: c_int) -> *mut c_void {
    let Some((original, reallocate)) = ALLOCATOR.get().and_then(|it| Some((it, it.0.xRealloc?))) else {
        return ptr::null_mut();
    };
    // SAFETY: as for `give_back`; a null result leaves the old block as it was.
    unsafe {
        let before = size(original, block);
        if !has_room(i64::from(bytes) - before) {
            return ptr::null_mut();
        }
        let moved = reallocate(block, bytes);
        if !moved.is_null() {
            HELD.set(HELD.get() + size(original, moved) - before);
        }
        moved
    }
}
