//@ verdict: safe
//@ engines: portfolio
//@ property: valid-deref
// An address as a text takes at most sixteen bytes.
#include <arpa/inet.h>
#include <string.h>

int main(void) {
  struct in_addr a;
  char text[16];
  a.s_addr = htonl(0xc0a8ffff);
  strcpy(text, inet_ntoa(a));
  return 0;
}
