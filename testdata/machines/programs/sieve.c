/* A table in .bss. */
#include "print.h"

static unsigned char composite[500];

int main(void) {
  int found = 0, last = 0;
  for (int i = 2; i < 500; ++i) {
    if (composite[i])
      continue;
    ++found;
    last = i;
    for (int j = i * 2; j < 500; j += i)
      composite[j] = 1;
  }
  printNumber(found);
  printNumber(last);
  return 0;
}
