//@ verdict: unsafe
//@ engines: portfolio
//@ property: memsafety
// Queens are placed row by row, by recursion over a table of columns.
#include <stdio.h>
#include <stdlib.h>

#define MOST 4
static int column[MOST], n, found;

static int fits(int row, int c) {
    for (int r = 0; r < row; r++)
        if (column[r] == c || abs(column[r] - c) == row - r) return 0;
    return 1;
}

static void place(int row) {
    if (row == n) {
        found++;
        return;
    }
    for (int c = 0; c < n; c++)
        if (fits(row, c)) {
            column[row] = c;
            place(row + 1);
        }
}

int main(int argc, char **argv) {
    if (argc != 2) return 2;
    n = atoi(argv[1]);
    if (n < 1 || n > MOST + 1) return 2;
    place(0);
    printf("%d\n", found);
    return 0;
}
