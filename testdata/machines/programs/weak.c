/* Weak names: one that is replaced, one that nothing defines. */
#include "print.h"

__attribute__((weak)) int chosen(void) { return 1; }
extern int missing(void) __attribute__((weak));
extern int absent __attribute__((weak));
int plain(void) { return 7; }

int main(void) {
  printNumber(chosen());
  printNumber(missing ? missing() : -1);
  printNumber(&absent ? 1 : 0);
  printNumber(plain());
  return 0;
}
