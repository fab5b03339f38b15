//@ verdict: safe
//@ engines: portfolio
//@ property: valid-deref
// An object that is constant must not be written, also where a cast hides that.
int g = 3;

int main(void) {
  *(int *)&g = 4;
  return 0;
}
