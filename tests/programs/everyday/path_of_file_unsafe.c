//@ verdict: unsafe
//@ engines: portfolio
//@ property: valid-memsafety
// A directory, a slash and a name in one block; the bad one forgets the zero.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static char *join(const char *dir, const char *file) {
  size_t a = strlen(dir), b = strlen(file);
  char *path = malloc(a + b + 1);
  if (!path) return NULL;
  memcpy(path, dir, a);
  path[a] = '/';
  memcpy(path + a + 1, file, b + 1);
  return path;
}
int main(int argc, char **argv) {
  const char *home = getenv("HOME");
  if (!home) home = "/";
  char *path = join(home, argc > 1 ? argv[1] : "x");
  if (!path) return 1;
  printf("%s\n", path);
  free(path);
  return 0;
}
