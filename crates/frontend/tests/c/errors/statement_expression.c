int x = ({ 1; });
void *p = &&l;
