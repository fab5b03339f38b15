/* time.h and sys/time.h. A clock may be set back while the program runs, but no error counts that needs it. */
static long craig_last_time = -1;
long time(long *p) {
  long t = __builtin_craig_input_long("time");
  __builtin_craig_assume(t >= -1 && t <= 67768036191676799L);
  if (t < craig_last_time) {
    t = __builtin_craig_any_long();
    __builtin_craig_assume(t >= -1 && t < craig_last_time);
  }
  craig_last_time = t;
  if (p != 0) {
    __builtin_craig_writable(p, sizeof(long));
    *p = t;
  }
  return t;
}
/* Time that was used does not become less. */
static long craig_used;
long clock(void) {
  long t = __builtin_craig_input_long("clock");
  __builtin_craig_assume(t == -1 || t >= craig_used);
  if (t != -1) craig_used = t;
  return t;
}
double difftime(long a, long b) { return (double)a - (double)b; }
struct craig_timespec { long seconds, part; };
static void craig_now(struct craig_timespec *t, long parts) {
  if (t == 0) return;
  __builtin_craig_writable(t, sizeof *t);
  t->seconds = __builtin_craig_input_long("time");
  t->part = __builtin_craig_input_long("time");
  __builtin_craig_assume(t->seconds >= 0 && t->part >= 0 && t->part < parts);
}
/* Whether a is before b. */
static int craig_before(struct craig_timespec *a, struct craig_timespec *b) { return a->seconds < b->seconds || a->seconds == b->seconds && a->part < b->part; }
static void craig_wall(struct craig_timespec *t, struct craig_timespec *last, long parts) {
  craig_now(t, parts);
  if (t == 0) return;
  if (craig_before(t, last)) {
    t->seconds = __builtin_craig_any_long();
    t->part = __builtin_craig_any_long();
    __builtin_craig_assume(t->seconds >= 0 && t->part >= 0 && t->part < parts && craig_before(t, last));
  }
  last->seconds = t->seconds;
  last->part = t->part;
}
static struct craig_timespec craig_last_day, craig_last_clock;
int gettimeofday(struct craig_timespec *t, void *zone) { __builtin_craig_writable(t, sizeof *t); if (zone != 0) { __builtin_craig_writable(zone, 8); ((int *)zone)[0] = 0; ((int *)zone)[1] = 0; } craig_wall(t, &craig_last_day, 1000000); return 0; }
static struct craig_timespec craig_monotonic;
/* Clocks from 8 on need a device, negative ones are of processes and files: 0 if there is such a clock. */
static int craig_clock(int clock) {
  if (clock >= 0 && clock < 8) return 0;
  if (clock == 10 || clock > 11) { craig_errno = 22; return -1; }
  return craig_fails();
}
/* Seconds and their parts (microseconds or nanoseconds) in their ranges. */
static int craig_is_time(const struct craig_timespec *t, long parts) { return t->seconds >= 0 && t->part >= 0 && t->part < parts; }
int clock_gettime(int clock, struct craig_timespec *t) {
  __builtin_craig_writable(t, sizeof *t);
  if (craig_clock(clock) != 0) return -1;
  if (clock == 0) {
    craig_wall(t, &craig_last_clock, 1000000000);
  } else {
    craig_now(t, 1000000000);
    __builtin_craig_assume(t->seconds > craig_monotonic.seconds || t->seconds == craig_monotonic.seconds && t->part >= craig_monotonic.part);
    craig_monotonic.seconds = t->seconds;
    craig_monotonic.part = t->part;
  }
  return 0;
}
int clock_getres(int clock, struct craig_timespec *t) {
  if (craig_clock(clock) != 0) return -1;
  if (t == 0) return 0;
  __builtin_craig_writable(t, sizeof *t);
  t->seconds = __builtin_craig_any_long();
  t->part = __builtin_craig_any_long();
  __builtin_craig_assume(t->seconds >= 0 && t->part >= 0 && t->part < 1000000000);
  return 0;
}
int clock_settime(int clock, const struct craig_timespec *t) {
  __builtin_craig_readable(t, sizeof *t);
  if (clock == 0 && craig_is_time(t, 1000000000)) return craig_fails();
  craig_errno = clock < 0 || clock > 11 || clock == 10 ? 22 : craig_positive_error();
  return -1;
}
/* Only a signal ends it early. */
static int craig_interrupted(const struct craig_timespec *t, struct craig_timespec *rest) {
  __builtin_craig_readable(t, sizeof *t);
  if (!craig_is_time(t, 1000000000)) { craig_errno = 22; return -1; }
  if (!craig_may_fail()) return 0;
  if (rest != 0) clock_getres(0, rest);
  return -1;
}
int clock_nanosleep(int clock, int flags, const struct craig_timespec *t, struct craig_timespec *rest) {
  if (clock == 3 || clock == 10 || clock > 11) return 22;
  if ((clock < 0 || clock > 3 && clock != 7 && clock != 11) && craig_fails()) return craig_errno;
  return craig_interrupted(t, rest) ? craig_errno : 0;
}
/* Bases above 1 are newer than most libraries. */
static int craig_base(int base) { return base < 1 || base > 4 || base > 1 && __builtin_craig_maybe() ? 0 : base; }
int timespec_get(struct craig_timespec *t, int base) {
  base = craig_base(base);
  if (base != 0) craig_wall(t, &craig_last_clock, 1000000000);
  return base;
}
int settimeofday(const struct craig_timespec *t, const void *zone) { if (t != 0) __builtin_craig_readable(t, 2 * sizeof(long)); if (zone != 0) __builtin_craig_readable(zone, 8); return craig_fails(); }
int getitimer(int which, struct craig_timespec *t) {
  if (which < 0 || which > 2) { craig_errno = 22; return -1; }
  craig_now(t, 1000000);
  craig_now(t + 1, 1000000);
  return 0;
}
int setitimer(int which, const struct craig_timespec *t, struct craig_timespec *old) {
  if (t != 0) {
    __builtin_craig_readable(t, 2 * sizeof *t);
    if (which < 0 || which > 2 || !craig_is_time(t, 1000000) || !craig_is_time(t + 1, 1000000)) { craig_errno = 22; return -1; }
  }
  return old != 0 ? getitimer(which, old) : which < 0 || which > 2 ? -1 : 0;
}
int utimes(const char *name, const struct craig_timespec *t) { if (t != 0) __builtin_craig_readable(t, 2 * sizeof *t); return craig_name_fails(name); }
void tzset(void) { }
int nanosleep(const struct craig_timespec *t, struct craig_timespec *rest) { return craig_interrupted(t, rest); }
struct craig_tm { int sec, min, hour, mday, mon, year, wday, yday, isdst; long gmtoff; const char *zone; };
static struct craig_tm craig_date;
static void craig_fill_date(struct craig_tm *d) {
  __builtin_craig_writable(d, sizeof *d);
  d->sec = __builtin_craig_any_int();
  d->min = __builtin_craig_any_int();
  d->hour = __builtin_craig_any_int();
  d->mday = __builtin_craig_any_int();
  d->mon = __builtin_craig_any_int();
  d->year = __builtin_craig_any_int();
  d->wday = __builtin_craig_any_int();
  d->yday = __builtin_craig_any_int();
  d->isdst = __builtin_craig_any_int();
  __builtin_craig_assume(d->sec >= 0 && d->sec <= 60 && d->min >= 0 && d->min < 60 && d->hour >= 0 && d->hour < 24);
  __builtin_craig_assume(d->mday >= 1 && d->mday <= 31 && d->mon >= 0 && d->mon < 12 && d->wday >= 0 && d->wday < 7);
  __builtin_craig_assume(d->yday >= 0 && d->yday < 366);
  d->gmtoff = __builtin_craig_any_long();
}
/* The calendar: years begin in March, 400 of them are an era of 146097 days. */
static void craig_calendar(long t, long zone, struct craig_tm *d) {
  long days = (t + zone) / 86400, rest = (t + zone) % 86400, era, day, year, of_year, month;
  int leap;
  __builtin_craig_writable(d, sizeof *d);
  if (rest < 0) {
    rest += 86400;
    days--;
  }
  d->sec = rest % 60;
  d->min = rest / 60 % 60;
  d->hour = rest / 3600;
  d->wday = (days % 7 + 11) % 7;
  days += 719468;
  era = (days >= 0 ? days : days - 146096) / 146097;
  day = days - era * 146097;
  year = (day - day / 1460 + day / 36524 - day / 146096) / 365;
  of_year = day - (365 * year + year / 4 - year / 100);
  month = (5 * of_year + 2) / 153;
  d->mday = of_year - (153 * month + 2) / 5 + 1;
  d->mon = month < 10 ? month + 2 : month - 10;
  year += era * 400 + (d->mon <= 1);
  leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
  d->year = year - 1900;
  d->yday = d->mon >= 2 ? of_year + 59 + leap : of_year - 306;
  d->isdst = 0;
  d->gmtoff = zone;
  d->zone = "GMT";
}
/* Seconds of a date, whose fields may be out of their ranges. */
static long craig_seconds(const struct craig_tm *d) {
  long month = d->mon, year = d->year + 1900L, era, of_era, days;
  year += month / 12;
  month %= 12;
  if (month < 0) {
    month += 12;
    year--;
  }
  if (month < 2) year--;
  era = (year >= 0 ? year : year - 399) / 400;
  of_era = year - era * 400;
  days = era * 146097 + of_era * 365 + of_era / 4 - of_era / 100 + (153 * (month < 2 ? month + 10 : month - 2) + 2) / 5 + d->mday - 1L - 719468;
  return days * 86400 + d->hour * 3600L + d->min * 60L + d->sec;
}
static int craig_in_time(long t) {
  if (t >= -67768040609740800L && t <= 67768036191676799L) return 1;
  craig_errno = 75;
  return 0;
}
/* Seconds east of Greenwich: the outside chooses a zone in which they are always the same; others exist. */
static long craig_zone_east;
static int craig_zone_known;
static long craig_zone(void) {
  long east;
  if (__builtin_craig_runs()) return 0;
  if (craig_zone_known && !__builtin_craig_maybe()) return craig_zone_east;
  if (craig_zone_known) east = __builtin_craig_any_long(); else east = __builtin_craig_input_long("zone");
  __builtin_craig_assume(east > -90000 && east < 90000);
  craig_zone_east = east;
  craig_zone_known = 1;
  return east;
}
/* Names of zones, and whether it is summer there. */
static void craig_any_summer(struct craig_tm *d) {
  if (__builtin_craig_runs()) return;
  d->isdst = __builtin_craig_any_int();
  d->zone = (const char *)__builtin_craig_any_long();
}
static struct craig_tm *craig_gmtime(const long *t, struct craig_tm *d) {
  __builtin_craig_readable(t, sizeof(long));
  if (!craig_in_time(*t)) return 0;
  craig_calendar(*t, 0, d);
  return d;
}
static struct craig_tm *craig_localtime(const long *t, struct craig_tm *d) {
  long east;
  __builtin_craig_readable(t, sizeof(long));
  east = craig_zone();
  if (!craig_in_time(*t) || !craig_in_time(*t + east)) return 0;
  craig_calendar(*t, east, d);
  craig_any_summer(d);
  return d;
}
struct craig_tm *localtime(const long *t) { return craig_localtime(t, &craig_date); }
struct craig_tm *gmtime(const long *t) { return craig_gmtime(t, &craig_date); }
struct craig_tm *localtime_r(const long *t, struct craig_tm *d) { return craig_localtime(t, d); }
struct craig_tm *gmtime_r(const long *t, struct craig_tm *d) { return craig_gmtime(t, d); }
/* The fields are brought into their ranges. */
long timegm(struct craig_tm *d) {
  long t;
  __builtin_craig_writable(d, sizeof *d);
  t = craig_seconds(d);
  if (!craig_in_time(t)) return -1;
  craig_calendar(t, 0, d);
  return t;
}
long mktime(struct craig_tm *d) {
  long east, t;
  int summer;
  __builtin_craig_writable(d, sizeof *d);
  summer = d->isdst;
  east = craig_zone();
  t = craig_seconds(d) - east;
  /* What an hour of summer is in a zone that has none is not modelled. */
  if (summer > 0 || !__builtin_craig_runs() && __builtin_craig_maybe()) {
    t = __builtin_craig_any_long();
    if (t != -1) craig_fill_date(d);
    return t;
  }
  if (!craig_in_time(t) || !craig_in_time(t + east)) return -1;
  craig_calendar(t, east, d);
  craig_any_summer(d);
  return t;
}
long timelocal(struct craig_tm *d) { return mktime(d); }
/* `Thu Jan  1 00:00:05 1970` and a line's end: 25 characters of dates whose numbers have as many digits as these. */
static void craig_two(char *s, int n) { s[0] = '0' + n / 10; s[1] = '0' + n % 10; }
static int craig_below(int n, int most) { return n >= 0 && n < most; }
static int craig_has_text(const struct craig_tm *d) {
  return d->year >= -900 && d->year < 8100 && craig_below(d->mday, 100) && craig_below(d->hour, 100) && craig_below(d->min, 100) && craig_below(d->sec, 100);
}
static char *craig_put_date(const struct craig_tm *d, char *s) {
  static const char days[] = "SunMonTueWedThuFriSat???", months[] = "JanFebMarAprMayJunJulAugSepOctNovDec???";
  int i, day = craig_below(d->wday, 7) ? d->wday : 7, month = craig_below(d->mon, 12) ? d->mon : 12;
  __builtin_craig_writable(s, 26);
  for (i = 0; i < 3; i++) { s[i] = days[3 * day + i]; s[4 + i] = months[3 * month + i]; }
  craig_two(s + 8, d->mday);
  if (d->mday < 10) s[8] = ' ';
  craig_two(s + 11, d->hour);
  craig_two(s + 14, d->min);
  craig_two(s + 17, d->sec);
  craig_two(s + 20, (d->year + 1900) / 100);
  craig_two(s + 22, (d->year + 1900) % 100);
  s[3] = s[7] = s[10] = s[19] = ' ';
  s[13] = s[16] = ':';
  s[24] = '\n';
  s[25] = 0;
  __builtin_craig_ends(s + 25);
  return s;
}
/* What is longer does not fit: no text. */
char *asctime_r(const struct craig_tm *d, char *s) {
  __builtin_craig_readable(d, sizeof *d);
  if (craig_has_text(d)) return craig_put_date(d, s);
  return __builtin_craig_any_bool() ? (char *)0 : craig_name_for(s, 26);
}
char *ctime_r(const long *t, char *s) {
  struct craig_tm d;
  return craig_localtime(t, &d) == 0 ? (char *)0 : asctime_r(&d, s);
}
char *strptime(const char *s, const char *format, struct craig_tm *d) {
  craig_str_end(format);
  craig_fill_date(d);
  return __builtin_craig_any_bool() ? (char *)0 : (char *)craig_some_end(s);
}
size_t wcsftime(wchar_t *s, size_t n, const wchar_t *format, const struct craig_tm *d) {
  size_t i, k = __builtin_craig_any_size();
  craig_wcs_end(format);
  __builtin_craig_readable(d, sizeof *d);
  if (n == 0) return 0;
  __builtin_craig_assume(k < n);
  __builtin_craig_writable(s, (k + 1) * sizeof(wchar_t));
  for (i = 0; i < k; i++) s[i] = __builtin_craig_any_int();
  s[k] = 0;
  return k;
}
static char craig_date_text[26];
char *asctime(const struct craig_tm *d) {
  __builtin_craig_readable(d, sizeof *d);
  if (craig_has_text(d)) return craig_put_date(d, craig_date_text);
  return __builtin_craig_any_bool() ? (char *)0 : craig_some_text();
}
char *ctime(const long *t) { struct craig_tm *d = localtime(t); return d == 0 ? (char *)0 : asctime(d); }
size_t strftime(char *s, size_t n, const char *format, const struct craig_tm *d) {
  size_t i, k = __builtin_craig_any_size();
  craig_str_end(format);
  __builtin_craig_readable(d, sizeof *d);
  if (n == 0) return 0;
  __builtin_craig_assume(k < n);
  __builtin_craig_writable(s, k + 1);
  for (i = 0; i < k; i++) s[i] = __builtin_craig_any_char();
  s[k] = 0;
  __builtin_craig_ends(s + k);
  return k;
}
