//@ verdict: unsafe
//@ engines: portfolio
//@ property: valid-deref
// An address as a text takes up to sixteen bytes.
#include <arpa/inet.h>
#include <string.h>

int main(void) {
  struct in_addr a;
  char text[15];
  a.s_addr = htonl(0xc0a8ffff);
  strcpy(text, inet_ntoa(a)); //~ violated
  return 0;
}
