#define _GNU_SOURCE
#include <values.h>
