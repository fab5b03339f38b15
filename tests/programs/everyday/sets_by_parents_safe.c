//@ verdict: safe
//@ engines: portfolio
//@ property: memsafety
// Sets are trees of parents in an array; a table says how far a search goes back, which is never beyond its own place.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int find(int *parent, int x) {
    while (parent[x] != x) {
        parent[x] = parent[parent[x]];
        x = parent[x];
    }
    return x;
}

static int sets(void) {
    int n, a, b;
    if (scanf("%d", &n) != 1 || n < 1 || n > 10000) return 0;
    int *parent = malloc(n * sizeof *parent);
    if (!parent) return 0;
    for (int i = 0; i < n; i++) parent[i] = i;
    int count = n;
    while (scanf("%d %d", &a, &b) == 2) {
        if (a < 0 || b < 0 || a >= n || b >= n) continue;
        int one = find(parent, a), other = find(parent, b);
        if (one != other) {
            parent[one] = other;
            count--;
        }
    }
    free(parent);
    return count;
}

static int times(const char *text, const char *word) {
    int m = strlen(word);
    if (m == 0) return 0;
    int *back = malloc(m * sizeof *back);
    if (!back) return 0;
    back[0] = 0;
    int k = 0, count = 0;
    for (int i = 1; i < m; i++) {
        while (k > 0 && word[k] != word[i]) k = back[k - 1];
        if (word[k] == word[i]) k++;
        back[i] = k;
    }
    k = 0;
    for (int i = 0; text[i]; i++) {
        while (k > 0 && word[k] != text[i]) k = back[k - 1];
        if (word[k] == text[i]) k++;
        if (k == m) {
            count++;
            k = back[k - 1];
        }
    }
    free(back);
    return count;
}

int main(int argc, char **argv) {
    if (argc == 3) printf("%d\n", times(argv[1], argv[2]));
    printf("%d\n", sets());
    return 0;
}
