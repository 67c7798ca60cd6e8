/* Floating point: the compiler's library, or the processor's unit. */
#include "print.h"

volatile float third = 1.0f / 3;
volatile float big = 1e6f;

int main(void) {
  float sum = 0;
  for (int i = 1; i < 40; ++i)
    sum += big / (float)(i * i) * third;
  printNumber((long)sum);
  printNumber((long)(third * 1000000.0f));
  printNumber(third < big);
  return 0;
}
