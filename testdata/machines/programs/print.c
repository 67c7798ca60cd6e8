#include "print.h"

void print(const char *text) {
  while (*text)
    put(*text++);
}

void printNumber(long number) {
  char digits[12];
  int count = 0;
  unsigned long rest = number < 0 ? 0ul - (unsigned long)number : (unsigned long)number;
  if (number < 0)
    put('-');
  do
    digits[count++] = (char)('0' + rest % 10);
  while (rest /= 10);
  while (count)
    put(digits[--count]);
  put('\n');
}
