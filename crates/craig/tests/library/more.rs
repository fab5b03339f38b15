//! More templates of calls: rarer functions, variants for other types, locks of one thread; and which functions of the
//! library need none, with the reason.

/// Functions of one float that are tried for all three types.
const ONE: &[&str] = &[
    "ceil",
    "floor",
    "trunc",
    "round",
    "rint",
    "nearbyint",
    "roundeven",
    "fabs",
    "lrint",
    "llrint",
    "lround",
    "llround",
    "isnan",
    "isinf",
    "finite",
];
/// Functions of two.
const TWO: &[&str] = &[
    "fmod",
    "remainder",
    "drem",
    "copysign",
    "fmax",
    "fmin",
    "fdim",
    "fmaximum",
    "fminimum",
    "fmaximum_num",
    "fminimum_num",
    "fmaximum_mag",
    "fminimum_mag",
    "fmaximum_mag_num",
    "fminimum_mag_num",
    "fmaxmag",
    "fminmag",
];
/// Calls of functions of floats for `double`, `float` and `long double`.
pub fn reals() -> Vec<String> {
    let mut out: Vec<String> = REALS.iter().map(|s| (*s).to_string()).collect();
    for suffix in ["", "f", "l"] {
        for name in ONE {
            out.push(format!("(long)({name}{suffix}(F) * 100)"));
        }
        for name in TWO {
            out.push(format!("(long)({name}{suffix}(F, F + 0.25) * 100)"));
        }
        out.push(format!("(long)(sqrt{suffix}(fabs{suffix}(F)) * 1000)"));
        out.push(format!(
            "canonicalize{suffix}(&(TT{suffix}){{0}}, &(TT{suffix}){{F}})"
        ));
        out.push(format!(
            "(long)(creal{suffix}(conj{suffix}(F + 2 * I)) * 100)"
        ));
        out.push(format!(
            "(long)(cimag{suffix}(conj{suffix}(F + 2 * I)) * 100)"
        ));
        out.push(format!(
            "(long)(cimag{suffix}(cproj{suffix}(F - 2 * I)) * 100)"
        ));
        out.push(format!("(long)cabs{suffix}(6 + 8 * I) * K"));
        out.push(format!("__builtin_signbit{suffix}(F) != 0"));
        out.push(format!(
            "!!__isnan{suffix}(F) + !!__isinf{suffix}(F) + !!__finite{suffix}(F)"
        ));
        out.push(format!("__fpclassify{suffix}(F) + !!__signbit{suffix}(F)"));
        out.push(format!("nan{suffix}(\"\") != nan{suffix}(\"\")"));
        out.push(format!("(long)(modf{suffix}(F, &(TT{suffix}){{0}}) * 100)"));
        out.push(format!("(x = frexp{suffix}(F, &n), (long)(x * 1000) + n)"));
        out.push(format!("llogb{suffix}(F + 1000)"));
        out.push(format!(
            "totalorder{suffix}(&(TT{suffix}){{F}}, &(TT{suffix}){{F}})"
        ));
        out.push(format!(
            "totalordermag{suffix}(&(TT{suffix}){{F}}, &(TT{suffix}){{F}})"
        ));
    }
    out
}

const REALS: &[&str] = &[
    "__builtin_isgreaterequal(F, F) + 2 * __builtin_islessequal(F, F) + 4 * __builtin_islessgreater(F, F)",
    "__builtin_isinf_sign(F) + __builtin_isinf_sign(-1.0 / 0)",
    "(long)((F + F * I) * (F - 2 * I) / 1e9)",
    "(long)(((F + 1i * F) / (3.0 - 2i)) * 100)",
    "(long)((float)((2.5f + K * 1.0if) / (3.0f - 2.0if)) * 100)",
    "(long)((2.5L + K * 1.0iL) / (3.0L - 2.0iL) * 100)",
    "(long)difftime(N, N)",
    "__builtin_fpclassify(1, 2, 3, 4, 5, F)",
];

/// Strings of both kinds, memory, classes.
pub const TEXT: &[&str] = &[
    "(strcpy(b, S), p = strtok_r(b, \" a\", &q), p ? (puts(p), 1L) : 0L)",
    "AT(p = S, index(p, C))",
    "AT(p = S, rindex(p, C))",
    "AT(p = \"abcA 1-\", rawmemchr(p, \"abcA 1-\"[K % 7]))",
    "SIGN(bcmp(\"abab\", \"abab\", K % 5))",
    "(memset(b, 'y', 20), b[20] = 0, bzero(b + K, 3), explicit_bzero(b + 15, 2), b[K] * 3L + b[K + 3])",
    "(memset(b, 'y', 20), b[20] = 0, bcopy(\"abcdef\", b + K, 4), SHOW)",
    "(memset(b, 'y', 20), b[20] = 0, memmove(b + 1, b, 5), memcpy(b + 9, \"abc\", 3), mempcpy(b, \"q\", 1), SHOW)",
    "strcasecmp_l(S, S, loc) == 0",
    "SIGN(strcasecmp_l(S, T, loc)) + SIGN(strncasecmp_l(S, T, K, loc)) * 3 + SIGN(strcoll_l(S, T, loc)) * 9",
    "(memset(b, 0, 40), n = strxfrm(b, S, 20), puts(b), (long)n)",
    "(memset(b, 0, 40), n = strxfrm_l(b, S, 20, loc), puts(b), (long)n)",
    "(long)strtoimax(D, 0, 10) + strtoq(D, 0, 0) + strtol_l(D, 0, 16, loc) + strtoll_l(D, 0, 10, loc)",
    "(long)(strtoumax(D, 0, 10) + strtouq(D, 0, 0) + strtoul_l(D, 0, 16, loc) + strtoull_l(D, 0, 10, loc))",
    "atoll(D)",
    "isascii(C * 2) + toascii(C * 2) + _toupper('a') + _tolower('Q')",
    "!!isalnum_l(C, loc) + !!isalpha_l(C, loc) * 2 + !!isblank_l(C, loc) * 4 + !!iscntrl_l(C, loc) * 8 + !!isdigit_l(C, loc) * 16",
    "!!isgraph_l(C, loc) + !!islower_l(C, loc) * 2 + !!isprint_l(C, loc) * 4 + !!ispunct_l(C, loc) * 8 + !!isspace_l(C, loc) * 16",
    "!!isupper_l(C, loc) + !!isxdigit_l(C, loc) * 2 + tolower_l(C, loc) * 4 + toupper_l(C, loc) * 1000",
    "!!((*__ctype_b_loc())[C] & 1024) + (*__ctype_tolower_loc())[C] * 3 + (*__ctype_toupper_loc())[C] * 1000",
    "(long)__ctype_get_mb_cur_max() + MB_CUR_MAX",
    "!!iswalnum(C) + !!iswblank(C) * 2 + !!iswcntrl(C) * 4 + !!iswdigit(C) * 8 + !!iswgraph(C) * 16 + !!iswlower(C) * 32",
    "!!iswprint(C) + !!iswpunct(C) * 2 + !!iswupper(C) * 4 + !!iswxdigit(C) * 8 + (long)towlower(C) * 16",
    "!!iswalnum_l(C, loc) + !!iswalpha_l(C, loc) * 2 + !!iswblank_l(C, loc) * 4 + !!iswcntrl_l(C, loc) * 8 + !!iswdigit_l(C, loc) * 16",
    "!!iswgraph_l(C, loc) + !!iswlower_l(C, loc) * 2 + !!iswprint_l(C, loc) * 4 + !!iswpunct_l(C, loc) * 8 + !!iswspace_l(C, loc) * 16",
    "!!iswupper_l(C, loc) + !!iswxdigit_l(C, loc) * 2 + (long)towlower_l(C, loc) * 4 + (long)towupper_l(C, loc) * 1000",
    "!!iswctype_l(C, wctype_l(\"alpha\", loc), loc)",
    "(long)(wcpcpy(w, W) - w) + (long)(wcpncpy(w + 20, W, 9) - w)",
    "SIGN(wcscasecmp(W, W)) + 3 * SIGN(wcsncasecmp(W, W, K)) + 9 * SIGN(wcscoll(W, W)) + 27 * SIGN(wmemcmp(L\"abca\", L\"abac\", K % 5))",
    "SIGN(wcscasecmp_l(W, W, loc)) + 3 * SIGN(wcsncasecmp_l(W, W, K, loc)) + 9 * SIGN(wcscoll_l(W, W, loc))",
    "(u = W, (long)(wcschrnul(u, C) - u))",
    "(u = W, v = wcspbrk(u, W), v ? (long)(v - u) : -1)",
    "(u = W, v = wcsrchr(u, C), v ? (long)(v - u) : -1)",
    "(long)wcscspn(W, W) + (long)wcsnlen(W, K) * 10",
    "(wcscpy(w, W), wcsncat(w, W, K), (long)wcslen(w))",
    "(v = wcsdup(W), n = wcslen(v), free((void *)v), (long)n)",
    "(wcscpy(w, W), v = wcstok(w, L\" a\", (wchar_t **)&u), v ? (long)wcslen(v) : -1)",
    "(u = W, v = wcswcs(u, W), v ? (long)(v - u) : -1L)",
    "(memset(w, 0, 100), n = wcsxfrm(w, W, 20), m = wcsxfrm_l(w, W, 20, loc), n + m + (long)w[0])",
    "(u = L\"abcabc\", v = wmemchr(u, 'a' + K % 4, 6), v ? (long)(v - u) : -1)",
    "(wmemcpy(w, L\"abcdef\", 7), wmemmove(w + 1, w, 4), *wmempcpy(w + 9, L\"xy\", 2) = 0, w[K] * 3L + w[9])",
    "(long)btowc(C) + wctob(C) * 3L + wctomb(b, C) * 1000L",
    "(m = 0, (long)mbrtowc(w, S, K, 0) + (long)mbrlen(S, K, 0) * 10 + (long)wcrtomb(b, C, 0) + mbsinit(0))",
    "(p = S, memset(w, 0, 100), n = mbsrtowcs(w, (const char **)&p, K, 0), n + (long)w[1])",
    "(u = W, memset(b, 0, 40), n = wcsrtombs(b, &u, K, 0), n + (long)b[1])",
    "(p = S, memset(w, 0, 100), n = mbsnrtowcs(w, (const char **)&p, K, 5, 0), n + (long)w[1] + !p)",
    "(u = W, memset(b, 0, 40), n = wcsnrtombs(b, &u, K, 5, 0), n + (long)b[1] + !u)",
    "wcswidth(W, K)",
    "(long)mbrtoc16((char16_t *)w, S, K, 0) + (long)mbrtoc32((char32_t *)w, S, K, 0) * 10 + (long)c16rtomb(b, C, 0) + (long)c32rtomb(b, C, 0)",
    "labs(N) + llabs(N) + imaxabs(N)",
    "ffsll(N) + __builtin_ffsll(N) + __builtin_popcountl(N) + __builtin_popcountll(N) + __builtin_parityl(N) + __builtin_parityll(N)",
    "__builtin_clrsbl(N) + __builtin_clrsbll(N) + __builtin_bswap16(N)",
    "__builtin_sub_overflow_p(N, N, (char)0) + 2 * __builtin_mul_overflow_p(N, N, (short)0)",
    "(long)__builtin_expect(N, 0) + __builtin_expect_with_probability(N, 1, 0.5) + *(char *)__builtin_assume_aligned(b, 1) * 0",
    "__builtin_types_compatible_p(int, long) + 2 * __builtin_types_compatible_p(int, signed) + 0 * __builtin_constant_p(n)",
    "(__builtin_prefetch(b), (long)ntohl(N) + htonl(N) + ntohs(N) + htons(N))",
    "(a[0] = K, a[1] = K, a[2] = K, a[3] = K, qsort_r(a, 4, sizeof(int), order_r, 0), a[0] * 3L + a[2])",
    "(a[0] = 1, a[1] = 5, size = 2, n = K, p = lfind(&n, a, &size, sizeof(int), order), p ? *(int *)p : -1L)",
    "(a[0] = 1, a[1] = 5, size = 2, n = K, p = lsearch(&n, a, &size, sizeof(int), order), n = *(int *)p, n + (long)size)",
    "(p = aligned_alloc(16, 32), n = (long)p % 16, free(p), (long)n)",
    "(p = memalign(64, 32), n = (long)p % 64, free(p), p = valloc(8), free(p), p = pvalloc(8), free(p), (long)n)",
    "(n = posix_memalign((void **)&p, 32, 8), n == 0 ? (m = (long)p % 32, free(p), (long)m) : n)",
    "(p = calloc(K + 1, 3), n = p[K], free(p), (long)n)",
    "(strcpy(b, \"a/\" S), puts(dirname(b)), 0L)",
    "dysize(1890 + K * 30) + getpagesize()",
    "major(makedev(N & 65535, N & 4095)) + minor(makedev(K, N & 65535)) + (long)gnu_dev_makedev(K, C) + gnu_dev_major(N & 0xffffff) + gnu_dev_minor(N & 0xffffff)",
    "(root = 0, tsearch(&one, &root, order), tsearch(&two, &root, order), tdelete(&one, &root, order), p = tfind(&two, &root, order), n = p ? **(int **)p : -1, tdestroy(root, forget), (long)n)",
    "(insque(links, 0), insque(links + 1, links), insque(links + 2, links), remque(links + 1), links[0].next == links + 2)",
    "(hcreate(9), hsearch((ENTRY){\"k\" S, b}, ENTER), n = !!hsearch((ENTRY){\"k\" T, 0}, FIND), hdestroy(), (long)n)",
    "(memset(&table, 0, sizeof table), hcreate_r(9, &table), hsearch_r((ENTRY){\"k\" S, b}, ENTER, &found, &table), n = hsearch_r((ENTRY){\"k\" T, 0}, FIND, &found, &table), hdestroy_r(&table), (long)n)",
    "(p = 0, size = 0, argz_create_sep(S, 'a', &p, &size), n = argz_count(p, size), argz_stringify(p, size, '+'), p ? puts(p) : 0, free(p), (long)n)",
    "(p = 0, size = 0, argz_create((char *[]){S \"q\", T \"r\", 0}, &p, &size), argz_add(&p, &size, S), argz_insert(&p, &size, p, T), q = argz_next(p, size, p), puts(q), argz_delete(&p, &size, q), n = size, argz_extract(p, size, words), puts(words[0]), free(p), (long)n)",
    "(p = 0, size = 0, argz_add_sep(&p, &size, S \"-x\", ' '), argz_append(&p, &size, \"e\", 2), n = size, free(p), (long)n)",
    "(p = 0, size = 0, envz_add(&p, &size, \"a\", S), envz_add(&p, &size, \"b\", 0), q = envz_get(p, size, \"a\"), puts(q), n = !!envz_entry(p, size, T \"b\"), envz_strip(&p, &size), m = size, envz_remove(&p, &size, \"a\"), free(p), n * 100L + m)",
    "(p = 0, size = 0, envz_add(&p, &size, \"a\", S), envz_merge(&p, &size, \"a=1\\0b=2\", 8, K % 2), puts(envz_get(p, size, \"a\")), free(p), (long)size)",
    "(mount.mnt_opts = \"ro,user=x,noexec\", q = hasmntopt(&mount, (char *[]){\"ro\", \"user\", \"exec\", \"noexec\"}[K % 4]), q ? (long)(q - mount.mnt_opts) : -1)",
    "(long)strlen(gettext(S)) + strlen(dgettext(\"d\", S)) + strlen(dcgettext(\"d\", S, LC_MESSAGES)) + strlen(ngettext(S, T, K % 3)) + strlen(dngettext(\"d\", S, T, K)) + strlen(dcngettext(\"d\", S, T, K, LC_MESSAGES))",
    "(address.s_addr = N, puts(inet_ntoa(address)), (long)inet_lnaof(address) + inet_netof(address))",
    "(address = inet_makeaddr(N & 0xffff, C), puts(inet_ntoa(address)), 0L)",
    "(address.s_addr = 7, n = inet_aton(A, &address), n + 2L * address.s_addr + inet_network(A) + inet_addr(A))",
    "(address.s_addr = 7, n = inet_pton(AF_INET, A, &address), n + 2L * address.s_addr)",
    "(memset(&address6, 7, 16), n = inet_pton(AF_INET6, A6, &address6), m = !!inet_ntop(AF_INET6, &address6, b, 8 + K * 4), n ? (long)puts(m ? b : \"-\") : n + 2L * m)",
    "(address.s_addr = N, p = (char *)inet_ntop(AF_INET, &address, b, 5 + K), puts(p ? p : \"-\"), (long)inet_pton(K, b, b) + (errno == ENOSPC))",
    "(memset(&line, 0, sizeof line), line.c_lflag = N, line.c_iflag = N, cfmakeraw(&line), (long)line.c_lflag + line.c_iflag + line.c_cc[VMIN])",
    "(errno = 0, strtol(\"99999999999999999999\", 0, 10), (long)errno)",
    "(puts(localeconv()->decimal_point), 0L)",
    "(when = N * 997L, gmtime(&when)->tm_mon + 12L * gmtime(&when)->tm_mday + 1000L * gmtime(&when)->tm_yday + 1000000L * gmtime(&when)->tm_year)",
    "(when = N * 31L, gmtime_r(&when, &date), date.tm_sec + 60L * date.tm_min + 3600L * date.tm_hour + 100000L * date.tm_wday)",
    "(memset(&date, 0, sizeof date), date.tm_year = K * 40, date.tm_mon = N % 100, date.tm_mday = C, timegm(&date) + date.tm_yday)",
];

/// Signals as sets, locks, keys and counters of one thread.
pub const ALONE: &[&str] = &[
    "(sigemptyset(&set), sigaddset(&set, 1 + C % 60), sigismember(&set, 1 + C % 60) + sigismember(&set, 61))",
    "(sigfillset(&set), sigdelset(&set, 1 + C % 30), sigismember(&set, 1 + C % 30) + 2 * sigismember(&set, 1 + C % 31))",
    "(sigemptyset(&set), sigaddset(&set, 3), sigfillset(&other), sigandset(&other, &set, &other), sigorset(&set, &set, &other), sigismember(&set, 3) + 2 * sigismember(&other, 1 + K))",
    "(pthread_mutex_init(&mutex, 0), n = pthread_mutex_lock(&mutex), n += pthread_mutex_unlock(&mutex), n += pthread_mutex_destroy(&mutex), (long)n)",
    "(pthread_mutexattr_init(&kind), n = pthread_mutex_init(&mutex, &kind), n += pthread_mutexattr_destroy(&kind), (long)n)",
    "(pthread_mutexattr_init(&kind), m = pthread_mutexattr_settype(&kind, K), n = 77, pthread_mutexattr_gettype(&kind, &n), 10L * m + n % 4)",
    "(pthread_mutexattr_init(&kind), pthread_mutexattr_settype(&kind, K % 2 + 1), pthread_mutex_init(&mutex, &kind), n = pthread_mutex_unlock(&mutex), n = n * 40 + pthread_mutex_lock(&mutex), n = n * 40 + pthread_mutex_trylock(&mutex), n = n * 40 + pthread_mutex_lock(&mutex), n = n * 40 + pthread_mutex_unlock(&mutex), n * 40L + pthread_mutex_destroy(&mutex))",
    "(pthread_mutex_init(&mutex, 0), n = pthread_mutex_timedlock(&mutex, &(struct timespec){0, 0}), m = pthread_mutex_trylock(&mutex), m = m * 200 + pthread_mutex_timedlock(&mutex, &(struct timespec){0, 0}), n + 2L * m)",
    "(pthread_rwlock_init(&rw, 0), n = pthread_rwlock_tryrdlock(&rw), n = n * 40 + pthread_rwlock_timedrdlock(&rw, &(struct timespec){0, 0}), n = n * 40 + pthread_rwlock_trywrlock(&rw), n * 200L + pthread_rwlock_timedwrlock(&rw, &(struct timespec){0, 0}))",
    "(pthread_rwlock_init(&rw, 0), n = pthread_rwlock_trywrlock(&rw), n = n * 40 + pthread_rwlock_tryrdlock(&rw), n = n * 40 + pthread_rwlock_rdlock(&rw), n = n * 40 + pthread_rwlock_unlock(&rw), n * 40L + pthread_rwlock_timedwrlock(&rw, &(struct timespec){0, 0}))",
    "(pthread_spin_init(&spin, 0), n = pthread_spin_trylock(&spin), n = n * 40 + pthread_spin_trylock(&spin), n = n * 40 + pthread_spin_unlock(&spin), n * 40L + pthread_spin_trylock(&spin))",
    "(n = siggetmask(), m = sigblock(1 << K), n = n * 1000 + m, m = siggetmask(), n = n * 1000 + m, m = sigsetmask(0), n * 1000L + m)",
    "(pthread_cond_init(&cond, 0), n = pthread_cond_signal(&cond), n += pthread_cond_broadcast(&cond), n += pthread_cond_destroy(&cond), (long)n)",
    "(pthread_rwlock_init(&rw, 0), n = pthread_rwlock_rdlock(&rw), n += pthread_rwlock_unlock(&rw), n += pthread_rwlock_wrlock(&rw), n += pthread_rwlock_unlock(&rw), n += pthread_rwlock_destroy(&rw), (long)n)",
    "(pthread_spin_init(&spin, 0), n = pthread_spin_lock(&spin), n += pthread_spin_unlock(&spin), n += pthread_spin_destroy(&spin), (long)n)",
    "pthread_equal(pthread_self(), pthread_self()) != 0",
    "(pthread_key_create(&key, 0), pthread_setspecific(key, b + K), n = (char *)pthread_getspecific(key) - b, m = pthread_key_delete(key), n + 100L * m)",
    "(once = PTHREAD_ONCE_INIT, calls = 0, pthread_once(&once, count), pthread_once(&once, count), (long)calls)",
    "(pthread_setconcurrency(K), pthread_getconcurrency() + sched_yield() + sched_get_priority_max(SCHED_FIFO) + sched_get_priority_min(SCHED_RR))",
    "(sem_init(&sem, 0, K), sem_post(&sem), sem_wait(&sem), n = sem_trywait(&sem), sem_getvalue(&sem, &m), sem_destroy(&sem), n + 10L * m)",
    "(mtx_init(&mtx, mtx_plain), n = mtx_lock(&mtx), n += mtx_unlock(&mtx), n += mtx_trylock(&mtx) == thrd_success, n += mtx_unlock(&mtx), mtx_destroy(&mtx), (long)n)",
    "(cnd_init(&cnd), n = cnd_signal(&cnd), n += cnd_broadcast(&cnd), cnd_destroy(&cnd), (long)n)",
    "(tss_create(&tss, 0), tss_set(tss, b + K), n = (char *)tss_get(tss) - b, tss_delete(tss), (long)n)",
    "(flag = (once_flag)ONCE_FLAG_INIT, calls = 0, call_once(&flag, count), call_once(&flag, count), thrd_yield(), calls + (thrd_equal(thrd_current(), thrd_current()) != 0))",
    "(atomic_flag_clear(&lock), n = atomic_flag_test_and_set(&lock), m = atomic_flag_test_and_set_explicit(&lock, memory_order_acquire), atomic_flag_clear_explicit(&lock, memory_order_release), atomic_thread_fence(memory_order_seq_cst), atomic_signal_fence(memory_order_seq_cst), n + 2L * m)",
    "fegetround() + feclearexcept(FE_ALL_EXCEPT)",
    "(tzset(), setlogmask(0xff) * 0)",
];

/// What the driver of these calls declares.
pub const DECLARED: &str = "
#include <argz.h>\n#include <arpa/inet.h>\n#include <complex.h>\n#include <envz.h>\n#include <errno.h>\n#include <fenv.h>
#include <inttypes.h>\n#include <libgen.h>\n#include <libintl.h>\n#include <locale.h>\n#include <malloc.h>\n#include <mntent.h>
#include <pthread.h>\n#include <sched.h>\n#include <semaphore.h>\n#include <signal.h>\n#include <stdatomic.h>\n#include <sys/sysmacros.h>
#include <syslog.h>\n#include <termios.h>\n#include <threads.h>\n#include <time.h>\n#include <uchar.h>
typedef double TT; typedef float TTf; typedef long double TTl;
static struct { void *next, *previous; } links[3]; static struct hsearch_data table; static ENTRY *found; static char *words[20];
static struct mntent mount; static struct in_addr address; static struct in6_addr address6; static struct termios line; static int one = 1, two = 2, calls; static size_t size;
static locale_t loc; static sigset_t set, other; static pthread_mutex_t mutex; static pthread_mutexattr_t kind; static pthread_cond_t cond;
static pthread_rwlock_t rw; static pthread_spinlock_t spin; static pthread_key_t key; static pthread_once_t once; static sem_t sem;
static time_t when; static struct tm date;
static mtx_t mtx; static cnd_t cnd; static tss_t tss; static once_flag flag; static atomic_flag lock;
static void count(void) { calls++; }
static void forget(void *p) { }
static int order_r(const void *p, const void *q, void *arg) { int x = *(const int *)p, y = *(const int *)q; return x < y ? -1 : x > y; }
";

/// Functions that are exact and have no template: why, and which (`*` stands for any ending).
pub const REASONS: &[(&str, &[&str])] = &[
    (
        "not of the C library",
        &[
            "__VERIFIER_*",
            "reach_error",
            "kmalloc",
            "__kmalloc",
            "kzalloc",
            "kcalloc",
            "vmalloc",
            "vzalloc",
            "kfree",
            "vfree",
            "printk",
            "xmalloc",
            "xzalloc",
            "xcalloc",
            "xrealloc",
            "cfree",
        ],
    ),
    (
        "being called is the error, or the end",
        &[
            "assert",
            "__assert*",
            "abort",
            "_Exit",
            "_exit",
            "exit",
            "quick_exit",
            "err",
            "errx",
            "verr",
            "verrx",
            "error",
            "error_at_line",
            "pthread_exit",
            "thrd_exit",
            "__builtin_trap",
            "__builtin_unreachable",
        ],
    ),
    (
        "control goes on elsewhere: tests/programs and a refusal",
        &[
            "setjmp",
            "_setjmp",
            "sigsetjmp",
            "__sigsetjmp",
            "longjmp",
            "_longjmp",
            "siglongjmp",
            "__builtin_setjmp",
            "__builtin_longjmp",
            "clone",
            "pthread_create",
            "thrd_create",
            "getcontext",
            "setcontext",
            "makecontext",
            "swapcontext",
        ],
    ),
    (
        "what a handler does is in tests/programs/library/exit_handlers and raised_signal",
        &[
            "atexit",
            "at_quick_exit",
            "on_exit",
            "raise",
            "gsignal",
            "pthread_kill",
            "tgkill",
            "sigpause",
            "sigsuspend",
            "pause",
            "siginterrupt",
            "sighold",
            "sigrelse",
        ],
    ),
    (
        "output only",
        &[
            "dprintf",
            "fprintf",
            "fwprintf",
            "wprintf",
            "__printf_chk",
            "__fprintf_chk",
            "putchar",
            "syslog",
            "openlog",
            "closelog",
            "perror",
            "psignal",
            "psiginfo",
            "warn",
            "warnx",
            "vwarn",
            "vwarnx",
            "herror",
            "malloc_stats",
            "backtrace_symbols_fd",
        ],
    ),
    (
        "nothing that could be compared: a table is opened or closed, a buffer chosen, a lock of a stream taken",
        &[
            "set*ent",
            "end*ent",
            "setusershell",
            "endusershell",
            "setutxent",
            "endutxent",
            "utmpname",
            "utmpxname",
            "updwtmp",
            "updwtmpx",
            "setbuf",
            "setbuffer",
            "setlinebuf",
            "setvbuf",
            "fflush",
            "fflush_unlocked",
            "flockfile",
            "funlockfile",
            "ftrylockfile",
            "fwide",
            "sync",
            "closefrom",
            "rewinddir",
            "seekdir",
            "_flushlbf",
            "__fpurge",
            "srandom",
            "srand48",
            "lcong48",
            "setstate",
            "initstate",
            "mallopt",
            "iconv_close",
            "freelocale",
            "duplocale",
            "uselocale",
            "regfree",
            "globfree",
            "globfree64",
            "wordfree",
            "freeaddrinfo",
            "freeifaddrs",
            "if_freenameindex",
            "posix_spawn*_destroy",
            "__sched_cpu*",
        ],
    ),
    (
        "streams: crates/craig/tests/run.rs compares whole programs",
        &[
            "feof",
            "feof_unlocked",
            "ferror",
            "ferror_unlocked",
            "clearerr",
            "clearerr_unlocked",
            "rewind",
            "ungetwc",
        ],
    ),
    (
        "what the compiler writes for others that are tried",
        &[
            "__bswap_16",
            "__bswap_32",
            "__memcmpeq",
            "__mbrlen",
            "__builtin_signbitf",
            "__builtin_signbitl",
            "__muldc3",
            "__mulsc3",
            "__mulxc3",
            "__divdc3",
            "__divsc3",
            "__divxc3",
            "__errno_location",
            "__builtin___clear_cache",
            "__clear_cache",
            "__builtin_va_*",
            "__builtin_assume",
            "__builtin_extract_return_addr",
            "__builtin_alloca_with_align*",
            "__builtin_dynamic_object_size",
            "alloca",
            "__libc_current_sigrt*",
        ],
    ),
    (
        "not in gcc's C or not in glibc here",
        &[
            "__builtin_addc*",
            "__builtin_subc*",
            "strlcpy",
            "strlcat",
            "wcslcpy",
            "wcslcat",
            "wcscasestr",
            "wcsndup",
            "mbrtoc8",
            "c8rtomb",
            "isnanf",
            "isinff",
            "finitef",
        ],
    ),
    (
        "not followed: the answer is a constant",
        &[
            "fegetenv",
            "fesetenv",
            "feholdexcept",
            "feupdateenv",
            "feraiseexcept",
            "fesetexcept*",
            "getdtablesize",
            "sigset",
            "pthread_atfork",
            "pthread_attr_init",
            "pthread_attr_destroy",
            "pthread_condattr_*",
            "pthread_rwlockattr_*",
            "pthread_barrier*",
            "pthread_cond_wait",
            "pthread_testcancel",
            "pthread_yield",
            "pthread_join",
            "pthread_tryjoin_np",
            "pthread_timedjoin_np",
            "pthread_clockjoin_np",
            "pthread_mutex_consistent*",
            "thrd_join",
            "cnd_wait",
            "mtx_timedlock",
            "sem_timedwait",
            "sem_clockwait",
            "sem_close",
            "alphasort*",
            "clearenv",
            "carg*",
        ],
    ),
];
