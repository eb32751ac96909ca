//! What a worker gives up before it reads the first statement: descriptors, files, network, processes, memory without end.
//!
//! Nothing here is needed for a right result; it is for the day when a statement finds a hole in SQLite. What the kernel does
//! not give is said, and then tried once, so that a worker claims nothing that does not hold.

use rustix::process::{Resource, Rlimit, Signal, setrlimit};
use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter, SeccompRule,
    apply_filter_all_threads,
};
use std::collections::BTreeMap;
use std::fs;
use std::net::UdpSocket;
use std::os::fd::RawFd;
use std::thread;

/// Calls that SQLite, the allocator, the threads and the end of the process need, whatever their arguments.
const CALLS: [libc::c_long; 25] = [
    libc::SYS_munmap,
    libc::SYS_mremap,
    libc::SYS_madvise,
    libc::SYS_brk,
    libc::SYS_futex,
    libc::SYS_sched_yield,
    libc::SYS_clock_gettime,
    libc::SYS_clock_nanosleep,
    libc::SYS_nanosleep,
    libc::SYS_gettimeofday,
    libc::SYS_restart_syscall,
    libc::SYS_getrandom,
    libc::SYS_exit,
    libc::SYS_exit_group,
    libc::SYS_rt_sigaction,
    libc::SYS_rt_sigprocmask,
    libc::SYS_rt_sigreturn,
    libc::SYS_sigaltstack,
    libc::SYS_getpid,
    libc::SYS_gettid,
    libc::SYS_tgkill,
    libc::SYS_close,
    libc::SYS_rseq,
    libc::SYS_set_robust_list,
    libc::SYS_membarrier,
];
/// Calls that speak, on the descriptors that are for speaking.
const SPEAKING: [libc::c_long; 5] =
    [libc::SYS_read, libc::SYS_recvfrom, libc::SYS_write, libc::SYS_writev, libc::SYS_sendto];
/// Calls that map memory, without the right to run what is in it.
const MAPPING: [libc::c_long; 2] = [libc::SYS_mmap, libc::SYS_mprotect];

/// Closes what the worker inherited beside its three descriptors. Called before anything is opened.
pub(super) fn close_inherited() {
    let numbers = |entries: fs::ReadDir| -> Vec<RawFd> {
        entries.flatten().filter_map(|entry| entry.file_name().to_str()?.parse().ok()).collect()
    };
    let open = fs::read_dir("/proc/self/fd").map_or_else(|_| (0..1024).collect(), numbers);
    for descriptor in open.into_iter().filter(|number| *number > 2) {
        // The one by which the folder was read is closed already.
        let _ = nix::unistd::close(descriptor);
    }
}

/// Ties the worker's life to that of the process that started it. The end of the line does it too, where this fails.
pub(super) fn die_with_parent() {
    let _ = rustix::process::set_parent_process_death_signal(Some(Signal::KILL));
}

/// Gives up everything, for all threads and for good; says what could not be given up. `room` is what the worker may take of
/// memory beyond what it has; `speaking` are the descriptors it goes on using.
pub(super) fn lock(room: u64, speaking: &[RawFd]) -> Vec<String> {
    let mut lacks = Vec::new();
    match mapped() {
        Some(mapped) => limit(Resource::As, mapped.saturating_add(room), "its memory", &mut lacks),
        None => lacks.push("its memory is not limited: /proc can't be read".to_owned()),
    }
    limit(Resource::Core, 0, "its core dumps", &mut lacks);
    limit(Resource::Fsize, 0, "the files it writes", &mut lacks);
    // No descriptor can be opened any more: no file, no socket. Those that are open stay.
    limit(Resource::Nofile, 0, "its descriptors", &mut lacks);
    if let Err(error) = rustix::thread::set_no_new_privs(true) {
        lacks.push(format!("it could gain rights by running a program: {error}"));
    }
    if let Err(reason) = filter(speaking)
        .and_then(|filter| apply_filter_all_threads(&filter).map_err(|error| error.to_string()))
    {
        lacks.push(format!("the kernel filters none of its calls: {reason}"));
    }
    lacks.extend(still_possible().into_iter().map(str::to_owned));
    lacks
}

fn limit(resource: Resource, most: u64, what: &str, lacks: &mut Vec<String>) {
    let both = Rlimit { current: Some(most), maximum: Some(most) };
    if let Err(error) = setrlimit(resource, both) {
        lacks.push(format!("{what} can't be limited: {error}"));
    }
}

/// Bytes of address space in use.
fn mapped() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmSize:"))?;
    let kib: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kib << 10)
}

/// A filter that refuses all calls but those listed, with EPERM.
fn filter(speaking: &[RawFd]) -> Result<BpfProgram, String> {
    let said = |error: seccompiler::BackendError| error.to_string();
    let rule = |argument, operator, value| -> Result<SeccompRule, String> {
        let condition =
            SeccompCondition::new(argument, SeccompCmpArgLen::Dword, operator, value).map_err(said)?;
        SeccompRule::new(vec![condition]).map_err(said)
    };
    let mut rules: BTreeMap<i64, Vec<SeccompRule>> = BTreeMap::new();
    for call in CALLS {
        rules.insert(call, Vec::new());
    }
    for call in SPEAKING {
        let own = speaking.iter().map(|fd| rule(0, SeccompCmpOp::Eq, u64::from(fd.unsigned_abs())));
        rules.insert(call, own.collect::<Result<_, _>>()?);
    }
    for call in MAPPING {
        let executable = u64::from(libc::PROT_EXEC.unsigned_abs());
        rules.insert(call, vec![rule(2, SeccompCmpOp::MaskedEq(executable), 0)?]);
    }
    let refused = SeccompAction::Errno(libc::EPERM.unsigned_abs());
    let machine = std::env::consts::ARCH.try_into().map_err(said)?;
    SeccompFilter::new(rules, refused, SeccompAction::Allow, machine)
        .and_then(TryInto::try_into)
        .map_err(said)
}

/// Tries what must not be possible any more.
fn still_possible() -> Vec<&'static str> {
    let mut possible = Vec::new();
    if fs::File::open("/").is_ok() {
        possible.push("it can open files");
    }
    if UdpSocket::bind(("127.0.0.1", 0)).is_ok() {
        possible.push("it can reach the network");
    }
    if let Ok(thread) = thread::Builder::new().spawn(|| ()) {
        let _ = thread.join();
        possible.push("it can start processes");
    }
    possible
}
