/* 64-bit numbers, which the compiler's library multiplies and divides. */
#include "print.h"

volatile unsigned long long wide = 0x123456789abcdefull;
volatile long long negative = -1234567890123ll;

int main(void) {
  printNumber((long)(wide % 1000003u));
  printNumber((long)(wide / 0x1234567u % 100000u));
  printNumber((long)(negative / 1000000));
  printNumber((long)(negative * 3 % 100000));
  printNumber((long)(wide << 7 >> 40 & 0xffff));
  return 0;
}
