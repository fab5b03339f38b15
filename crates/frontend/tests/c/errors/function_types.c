int f(void)[3];
int g(void)(int);
