//@ verdict: unsafe
//@ engines: portfolio
// The size of an object that is named is known.
extern void reach_error(void);
struct two { char first[4]; char second[6]; };

int main(void) {
  struct two x;
  char b[10];
  if (__builtin_object_size(b + 3, 0) != (unsigned long)-1 && __builtin_object_size(b, 0) != 10) reach_error();
  if (__builtin_object_size(&x.first[1], 1) != 9) reach_error(); //~ violated
  if (__builtin_object_size(&x.first[1], 0) != 9) reach_error();
  return 0;
}
