//! Sockets of a reproduction: no network, but functions linked in place of the library's. Every connection is standard
//! input again, and each call receives as many bytes as it did in the counterexample.

use std::fmt::Write;

/// The functions that are linked in place of the library's.
pub const REPLACED: &[&str] = &[
    "socket",
    "connect",
    "bind",
    "listen",
    "accept",
    "setsockopt",
    "shutdown",
    "recv",
    "recvfrom",
    "send",
    "sendto",
    "read",
];

const TEXT: &str = "
int dup(int fd);
long __real_read(int fd, void *p, unsigned long n);
static long craig_receive(int fd, void *p, unsigned long n) {
  unsigned long most = craig_next < sizeof craig_counts / sizeof *craig_counts - 1 ? craig_counts[craig_next++] : 0;
  return __real_read(fd, p, most < n ? most : n);
}
int __wrap_socket(int family, int kind, int protocol) { return dup(0); }
int __wrap_accept(int fd, void *address, void *size) { return dup(0); }
int __wrap_connect(int fd, const void *address, unsigned size) { return 0; }
int __wrap_bind(int fd, const void *address, unsigned size) { return 0; }
int __wrap_listen(int fd, int most) { return 0; }
int __wrap_setsockopt(int fd, int level, int name, const void *value, unsigned size) { return 0; }
int __wrap_shutdown(int fd, int how) { return 0; }
long __wrap_read(int fd, void *p, unsigned long n) { return craig_receive(fd, p, n); }
long __wrap_recv(int fd, void *p, unsigned long n, int flags) { return craig_receive(fd, p, n); }
long __wrap_recvfrom(int fd, void *p, unsigned long n, int flags, void *from, void *size) { return craig_receive(fd, p, n); }
long __wrap_send(int fd, const void *p, unsigned long n, int flags) { return n; }
long __wrap_sendto(int fd, const void *p, unsigned long n, int flags, const void *to, unsigned size) { return n; }
";

/// C text of these functions.
pub fn write(counts: &[i64], out: &mut String) {
    let list: String = counts.iter().map(|n| format!("{n}, ")).collect();
    let _ = write!(
        out,
        "\n/* How many bytes each call received. */\nstatic const long craig_counts[] = {{ {list}0 }};\n\
         static unsigned craig_next;\n{TEXT}"
    );
}
