//@ verdict: safe
//@ engines: portfolio
//@ property: valid-deref
// The environment may be empty: then the array begins with its end, a null pointer.
extern char **environ;

int main(void) {
  return environ[0] == 0;
}
