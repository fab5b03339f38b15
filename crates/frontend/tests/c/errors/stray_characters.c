int x = 3 @@ 4;
int y = `1;
