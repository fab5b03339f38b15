//@ verdict: unsafe
//@ engines: impact, portfolio
// A protocol as a loop over a state kept in memory; `hit` is chosen once and asked again later.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
extern void *malloc(unsigned long);
struct session {
  int state;
  int next;
};
int main(void) {
  struct session *s = malloc(sizeof(struct session));
  int hit = __VERIFIER_nondet_int();
  int flag = 0;
  s->state = 100;
  while (__VERIFIER_nondet_int()) {
    if (s->state == 100) {
      if (flag == 0) flag = 1;
      s->next = hit ? 300 : 200;
      s->state = 400;
    } else if (s->state == 200) {
      if (flag == 1) flag = 2;
      if (hit) reach_error();
      s->state = 300;
    } else if (s->state == 300) {
      if (!hit && flag == 2) reach_error(); //~ violated
      s->state = 100;
      flag = 0;
    } else if (s->state == 400) {
      s->state = s->next;
    } else {
      reach_error();
    }
  }
  return 0;
}
