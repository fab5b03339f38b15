//@ verdict: safe
//@ engines: portfolio
// A lock that the thread holds is busy; one that counts is not.
#include <pthread.h>
extern void reach_error(void);

int main(void) {
  pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  pthread_mutex_lock(&lock);
  if (pthread_mutex_trylock(&lock) == 0) reach_error();
  return 0;
}
