//@ verdict: unsafe
//@ engines: portfolio
typedef unsigned long size_t; extern void qsort(void*,size_t,size_t,int(*)(const void*,const void*)); extern void abort(void); void reach_error(void){ abort(); }
int cmp(const void*a,const void*b){ reach_error(); return 0; } //~ violated
int main(){ int a[2]={2,1}; qsort(a,2,sizeof(int),cmp); return 0; }
