//@ verdict: unsafe
//@ engines: portfolio
//@ property: valid-deref
// getaddrinfo may fail; then there is no list.
#include <netdb.h>
#include <stddef.h>

int main(void) {
  struct addrinfo *list = NULL;
  if (getaddrinfo("localhost", "80", NULL, &list) == 0) return 1;
  return list->ai_family == 0; //~ violated
}
