//! In place of a program that circom wrote: it takes the same arguments, and does what its input `mode` says.

use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::net::{TcpStream, UdpSocket};
use std::os::unix::net::UnixStream;
use std::process::{Command, exit};

/// By which it is known as a program over BN254.
#[used]
#[unsafe(no_mangle)]
pub static PRIME: [u64; 4] =
    [0x43e1f593f0000001, 0x2833e84879b97091, 0xb85045b68181585d, 0x30644e72e131a029];

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let inputs = fs::read_to_string(&arguments[1]).expect("the inputs can be read");
    let input = |name: &str| -> Option<u64> {
        let (_, rest) = inputs.split_once(&format!("\"{name}\":[\""))?;
        rest.split('"').next()?.parse().ok()
    };
    let (a, b) = (input("a").unwrap_or(0), input("b").unwrap_or(0));
    let good = [1, a * b, a, b].map(|value| [value, 0, 0, 0]);
    let write = |values: &[[u64; 4]], count: u32| {
        let mut out = File::create(&arguments[2]).expect("the witness can be written");
        out.write_all(&wtns(values, count)).expect("the witness can be written");
    };
    match input("mode").unwrap_or(0) {
        0 => write(&good, 4),
        1 => write(&[[1, 0, 0, 0], PRIME], 2),
        2 => write(&good, 5),
        3 => write(&[[2, 0, 0, 0]], 1),
        4 => {} // the inputs stay in place of a witness
        5 => loop {
            std::hint::black_box(());
        },
        6 => drop(std::hint::black_box(vec![1u8; 1 << 40])),
        7 => {
            let mut out = File::create(&arguments[2]).expect("it can be opened");
            while out.write_all(&[7; 1 << 16]).is_ok() {}
        }
        8 => {
            println!("{inputs}");
            eprintln!("Error loading signal {a}: Too many values\nSignal not found, but {a}");
            println!("Failed assert in template/function {a}; {a} line 1. Followed trace of components: main");
            exit(1);
        }
        9 => {
            println!("Failed assert in template/function T line 3. Followed trace of components: main.c[0]");
            std::process::abort();
        }
        10 => {
            for _ in 0..100_000 {
                println!("{}", "x".repeat(1000));
            }
            write(&good, 4);
        }
        11 => attack(b),
        12 => {
            eprintln!("Not all inputs have been set. Only 2 out of 5");
            exit(1);
        }
        13 => {
            threads();
            write(&good, 4)
        }
        _ => exit(7),
    }
}

/// As many threads at a time as circom's runtime has, with the stacks that glibc gives them.
fn threads() {
    unsafe extern "C" {
        fn getrlimit(resource: i32, limits: *mut [u64; 2]) -> i32;
    }
    const STACK: i32 = 3;
    let mut limits = [0; 2];
    // SAFETY: it writes two numbers.
    assert_eq!(unsafe { getrlimit(STACK, &mut limits) }, 0);
    let start = || std::thread::Builder::new().stack_size(limits[0] as usize).spawn(std::thread::park);
    let threads: Vec<_> = (0..32).map(|_| start().expect("a thread")).collect();
    for thread in threads {
        thread.thread().unpark();
        thread.join().expect("it ends");
    }
}

/// True if a descriptor can be written to.
fn is_open(descriptor: i32) -> bool {
    use std::os::fd::FromRawFd;
    // SAFETY: nothing else here uses it, and it is not closed.
    let file = unsafe { File::from_raw_fd(descriptor) };
    std::mem::ManuallyDrop::new(file).write(b"evil").is_ok()
}

/// True if signals about standard output can be sent to a process.
fn owns(process: u32) -> bool {
    unsafe extern "C" {
        fn fcntl(descriptor: i32, command: i32, ...) -> i32;
    }
    const F_SETOWN: i32 = 8;
    // SAFETY: it takes numbers only.
    unsafe { fcntl(1, F_SETOWN, process as i32) == 0 }
}

/// Tries what no witness needs, and tells what worked.
fn attack(port: u64) {
    let parent = std::os::unix::process::parent_id();
    let try_it = |what: &str, worked: bool| println!("{what}: {}", if worked { "WORKED" } else { "refused" });
    let home = std::env::current_dir().unwrap_or_default();
    try_it("read a file of the user", fs::read(home.join("input.json")).is_ok());
    try_it("read /etc/passwd", fs::read("/etc/passwd").is_ok());
    try_it("read the parent's memory", File::open(format!("/proc/{parent}/mem")).is_ok());
    try_it("list a folder", fs::read_dir(&home).is_ok());
    try_it("make a file", File::create(home.join("evil")).is_ok());
    try_it("make a file in /tmp", File::create("/tmp/frumious-evil").is_ok());
    try_it("make a file in shared memory", File::create("/dev/shm/frumious-evil").is_ok());
    try_it("make a folder", fs::create_dir(home.join("evil")).is_ok());
    try_it("remove a file", fs::remove_file(home.join("victim")).is_ok());
    try_it("rename a file", fs::rename(home.join("victim"), home.join("evil")).is_ok());
    try_it("cut a file", OpenOptions::new().write(true).truncate(true).open(home.join("victim")).is_ok());
    try_it("append to a file", OpenOptions::new().append(true).open(home.join("victim")).is_ok());
    try_it("write to a file of whoever started it", (3..32).any(is_open));
    try_it("start a program", Command::new("/bin/true").status().is_ok());
    try_it("connect", TcpStream::connect(("127.0.0.1", port as u16)).is_ok());
    try_it("make a socket", UdpSocket::bind("127.0.0.1:0").is_ok());
    try_it("make a pair of sockets", UnixStream::pair().is_ok());
    try_it("have signals sent to the parent", owns(parent));
    try_it("see the environment", std::env::vars_os().next().is_some());
    println!("a thread: {}", if std::thread::spawn(|| ()).join().is_ok() { "works" } else { "fails" });
    exit(7);
}

fn wtns(values: &[[u64; 4]], count: u32) -> Vec<u8> {
    let bytes = |words: &[u64]| -> Vec<u8> { words.iter().flat_map(|word| word.to_le_bytes()).collect() };
    let mut out = b"wtns".to_vec();
    out.extend([2u32, 2, 1].map(u32::to_le_bytes).concat());
    out.extend(40u64.to_le_bytes());
    out.extend(32u32.to_le_bytes());
    out.extend(bytes(&PRIME));
    out.extend(count.to_le_bytes());
    out.extend(2u32.to_le_bytes());
    out.extend((32 * u64::from(count)).to_le_bytes());
    for value in values {
        out.extend(bytes(value));
    }
    out
}
