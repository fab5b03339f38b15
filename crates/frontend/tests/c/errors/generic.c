int a = _Generic(1.5, int: 1, char *: 2);
