//@ verdict: unsafe
//@ engines: portfolio
// Addresses of the net and back.
#include <arpa/inet.h>
#include <string.h>
extern void reach_error(void);

int main(void) {
  unsigned char address[16];
  char text[INET6_ADDRSTRLEN];
  if (inet_pton(AF_INET6, "0:0:1::8", address) != 1) return 0;
  if (inet_ntop(AF_INET6, address, text, sizeof text) == NULL) return 0;
  if (strcmp(text, "::1:0:0:0:0:8") != 0) reach_error(); //~ violated
  return 0;
}
