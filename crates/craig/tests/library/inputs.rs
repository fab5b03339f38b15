//! Functions that the outside answers: what their results always are, and what the outside can make of them.

/// A call that gives `r` (with `b` a buffer, `n`, `f`, `p` at hand), what holds of every answer, and conditions that an
/// answer can break.
pub type Row = (&'static str, &'static str, &'static [&'static str]);

const BIT: &str = "r == 0 || r == 1";
const CALL: &str = "r == 0 || r == -1";
const EITHER: &[&str] = &["r != 0", "r == 0"];
const BYTE: &str = "r >= -1 && r <= 255";
const SEVEN: &[&str] = &["r != 7", "r != -1"];
const COUNT: &str = "r >= -1 && r <= 8";
const THREE: &[&str] = &["r != 3", "r > 0"];
const DESCRIPTOR: &str = "r >= -1";

/// Streams.
pub const STREAMS: &[Row] = &[
    ("getchar()", BYTE, SEVEN),
    ("getc(stdin)", BYTE, SEVEN),
    ("fgetc(stdin)", BYTE, SEVEN),
    ("getchar_unlocked()", BYTE, SEVEN),
    ("(int)getwchar()", "r >= -1", SEVEN),
    (
        "(fgets(b, 8, stdin) ? (long)strlen(b) : -1)",
        "r >= -1 && r < 8",
        THREE,
    ),
    ("(long)fread(b, 1, 8, stdin)", "r >= 0 && r <= 8", THREE),
    (
        "(n = 0, scanf(\"%d\", &n) == 1 ? n : -5L)",
        "r <= 2147483647",
        &["r != 77"],
    ),
    (
        "(n = 0, (long)scanf(\"%d\", &n))",
        "r >= -1 && r <= 1",
        &["r != 0", "r != 1", "r != -1"],
    ),
    (
        "(scanf(\"%7s\", b) == 1 ? (long)strlen(b) : -1)",
        "r == -1 || r >= 1 && r <= 7",
        &["r != 7"],
    ),
    (
        "putchar('x')",
        "r == 'x' || r == -1",
        &["r != -1", "r == -1"],
    ),
    ("fputc('x', stdout)", "r == 'x' || r == -1", &["r != -1"]),
    (
        "(f = fopen(\"x\", \"r\"), r = f != 0, f ? fclose(f) : 0, r)",
        BIT,
        EITHER,
    ),
    (
        "(f = tmpfile(), r = f != 0, f ? fclose(f) : 0, r)",
        BIT,
        EITHER,
    ),
    (
        "(f = fopen(\"x\", \"r\"), r = f ? fgetc(f) : -2, f ? fclose(f) : 0, r)",
        "r >= -2 && r <= 255",
        SEVEN,
    ),
    ("remove(\"x\")", CALL, EITHER),
    ("rename(\"x\", \"y\")", CALL, EITHER),
    (
        "getchar() + feof(stdin)",
        "r >= -1 && r <= 255",
        &["r != 0"],
    ),
];

/// Descriptors, files and sockets.
pub const FILES: &[Row] = &[
    ("(long)read(0, b, 8)", COUNT, THREE),
    ("(long)write(1, b, 8)", COUNT, THREE),
    ("open(\"x\", 0)", DESCRIPTOR, &["r != 5", "r != -1"]),
    ("creat(\"x\", 0600)", DESCRIPTOR, &["r != 6", "r != -1"]),
    ("socket(2, 1, 0)", DESCRIPTOR, &["r != -1"]),
    ("(long)recv(3, b, 8, 0)", COUNT, THREE),
    ("(long)send(3, b, 8, 0)", COUNT, THREE),
    ("listen(3, 5)", CALL, EITHER),
    ("access(\"x\", 0)", CALL, EITHER),
    ("unlink(\"x\")", CALL, EITHER),
    ("mkdir(\"x\", 0700)", CALL, EITHER),
    ("rmdir(\"x\")", CALL, EITHER),
    ("chdir(\"x\")", CALL, EITHER),
    ("chmod(\"x\", 0600)", CALL, EITHER),
    ("link(\"x\", \"y\")", CALL, EITHER),
    ("symlink(\"x\", \"y\")", CALL, EITHER),
    ("truncate(\"x\", 5)", CALL, EITHER),
    ("isatty(0)", BIT, EITHER),
    ("(long)lseek(0, 0, 1)", "r >= -1", &["r != -1"]),
    ("(long)readlink(\"x\", b, 8)", COUNT, THREE),
    (
        "(getcwd(b, 8) ? (long)strlen(b) : -1)",
        "r >= -1 && r < 8",
        &["r != -1"],
    ),
];

/// Processes, time, chance and the environment.
pub const WORLD: &[Row] = &[
    ("rand()", "r >= 0", &["r != 5"]),
    ("random()", "r >= 0 && r <= 2147483647", &["r != 5"]),
    ("lrand48()", "r >= 0 && r <= 2147483647", &["r != 5"]),
    (
        "mrand48()",
        "r >= -2147483648L && r <= 2147483647",
        &["r != -5"],
    ),
    ("(x = drand48(), x >= 0 && x < 1)", "r == 1", &[]),
    ("(long)time(0)", "r >= -1", &["r != 1000000000"]),
    ("(long)clock()", "r >= -1", &["r != 77"]),
    ("getpid()", "r > 0", &["r != 44"]),
    ("getppid()", "r >= 0", &["r != 44"]),
    ("(long)getuid()", "r >= 0", &["r != 9"]),
    ("(long)geteuid()", "r >= 0", &["r != 9"]),
    ("(long)getgid()", "r >= 0", &["r != 9"]),
    ("(long)sleep(3)", "r >= 0 && r <= 3", &[]),
    ("system(\"x\")", "r >= -2147483648L", &["r != 0"]),
    (
        "(p = getenv(\"CRAIG_A\"), p ? (long)*p : 0)",
        "r >= -128 && r <= 127",
        &["r != 'q'"],
    ),
    ("(p = getenv(\"CRAIG_B\"), p != 0)", BIT, &["r != 0"]),
    ("(p = getenv(\"CRAIG_C\"), p != 0)", BIT, &["r == 0"]),
    ("(p = ttyname(0), p != 0)", BIT, &["r != 0"]),
    ("(strerror(2) != 0)", "r == 1", &[]),
    (
        "(gettimeofday(&tv, 0), (long)tv.tv_usec)",
        "r >= 0 && r < 1000000",
        &["r != 7"],
    ),
    (
        "(clock_gettime(0, &ts), (long)ts.tv_nsec)",
        "r >= 0 && r < 1000000000",
        &["r != 7"],
    ),
    (
        "(t = time(0), t < 0 ? 0 : (long)gmtime(&t)->tm_mon)",
        "r >= 0 && r < 12",
        &["r != 11"],
    ),
    (
        "(t = 86400L * 59, (long)gmtime(&t)->tm_mon)",
        "r == 2",
        &["r != 2"],
    ),
];

/// What the calls need.
pub const DECLARED: &str = "#define _GNU_SOURCE\n#include <fcntl.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n#include <sys/socket.h>\n#include <sys/stat.h>\n#include <sys/time.h>\n#include <time.h>\n#include <unistd.h>\n#include <wchar.h>\nextern void reach_error(void);\nstatic char b[16];\n";
/// What each call declares.
pub const LOCALS: &str = "long r; int n = 0; FILE *f = 0; char *p = 0; double x = 0; time_t t = 0; struct timeval tv; struct timespec ts;";
