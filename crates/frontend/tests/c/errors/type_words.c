short long a;
unsigned signed b;
int char c;
long float d;
long long long e;
