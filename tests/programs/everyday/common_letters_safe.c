//@ verdict: safe
//@ engines: portfolio
//@ property: memsafety
// The longest letters that two texts have in common: a table of (n + 1) rows and (m + 1) columns in one block.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
    if (argc != 3) return 2;
    const char *a = argv[1], *b = argv[2];
    size_t n = strlen(a), m = strlen(b);
    if (n > 1000 || m > 1000) return 1;
    int *t = calloc((n + 1) * (m + 1), sizeof *t);
    if (!t) return 1;
    for (size_t i = 1; i <= n; i++)
        for (size_t j = 1; j <= m; j++) {
            if (a[i - 1] == b[j - 1]) {
                t[i * (m + 1) + j] = t[(i - 1) * (m + 1) + j - 1] + 1;
            } else {
                int up = t[(i - 1) * (m + 1) + j], left = t[i * (m + 1) + j - 1];
                t[i * (m + 1) + j] = up > left ? up : left;
            }
        }
    printf("%d\n", t[n * (m + 1) + m]);
    free(t);
    return 0;
}
