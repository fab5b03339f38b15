//@ verdict: safe
//@ engines: portfolio
//@ property: memsafety
// Numbers are sorted by recursion: both parts of an array, and the pieces of a second one through a buffer.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void swap(int *a, int *b) {
    int t = *a;
    *a = *b;
    *b = t;
}

static int divide(int *a, int low, int high) {
    int pivot = a[high], i = low;
    for (int j = low; j < high; j++)
        if (a[j] < pivot) swap(&a[i++], &a[j]);
    swap(&a[i], &a[high]);
    return i;
}

static void quick(int *a, int low, int high) {
    if (low < high) {
        int p = divide(a, low, high);
        quick(a, low, p - 1);
        quick(a, p + 1, high);
    }
}

static void merge(int *a, int *other, int n) {
    if (n < 2) return;
    int h = n / 2, i = 0, j = h, k = 0;
    merge(a, other, h);
    merge(a + h, other, n - h);
    while (i < h && j < n) other[k++] = a[i] <= a[j] ? a[i++] : a[j++];
    while (i < h) other[k++] = a[i++];
    while (j < n) other[k++] = a[j++];
    memcpy(a, other, n * sizeof *a);
}

int main(void) {
    int n;
    if (scanf("%d", &n) != 1 || n <= 0 || n > 1000) return 1;
    int *a = malloc(n * sizeof *a);
    if (!a) return 1;
    for (int i = 0; i < n; i++)
        if (scanf("%d", &a[i]) != 1) a[i] = i;
    quick(a, 0, n - 1);
    int b[100], other[100], m = n < 100 ? n : 100;
    for (int i = 0; i < m; i++) b[i] = a[m - 1 - i];
    merge(b, other, m);
    printf("%d %d\n", a[0], b[m - 1]);
    free(a);
    return 0;
}
