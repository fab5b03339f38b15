void f(int x) { case 1: ; default: ; switch (x) { case 1: case 2: case 1: default: default: ; } switch (x) { case 1 ... 5: case 3: ; } switch (1.5) { } }
