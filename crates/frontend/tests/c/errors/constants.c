int a = 08;
int b = 0xg;
int c = 12abc;
int d = 1.5x;
int e = 99999999999999999999999;
int f = '';
