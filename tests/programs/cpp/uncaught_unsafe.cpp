//@ verdict: unsafe
//@ engines: portfolio
extern "C" int __VERIFIER_nondet_int();
void f(int x) { if (x == 42) throw 1L; }
int main() {
  try {
    f(__VERIFIER_nondet_int());
  } catch (int) {
  }
}
