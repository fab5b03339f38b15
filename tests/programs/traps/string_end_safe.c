//@ verdict: safe
//@ engines: portfolio
extern void abort(void);
void reach_error(void) { abort(); }
int main(void) {
  char s[] = "ab";
  if (sizeof s != 3) reach_error();
  return 0;
}
