static extern int a;
