//@ verdict: safe
//@ engines: portfolio
typedef unsigned long size_t; extern int memcmp(const void*,const void*,size_t); void reach_error(void){}
int main(){ int a[2]={2,1}; int b[2]={2,1}; if (memcmp(a,b,8)) reach_error(); return 0; }
