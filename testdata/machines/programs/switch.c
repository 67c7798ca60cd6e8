/* A switch that compilers make a table of. */
#include "print.h"

static const char *name(int day) {
  switch (day) {
  case 0: return "Monday";
  case 1: return "Tuesday";
  case 2: return "Wednesday";
  case 3: return "Thursday";
  case 4: return "Friday";
  case 5: return "Saturday";
  case 6: return "Sunday";
  case 9: return "never";
  }
  return "none";
}

static long act(int what, long value) {
  switch (what) {
  case 0: return value + 1;
  case 1: return value * 3;
  case 2: return value - 7;
  case 3: return value / 2;
  case 4: return -value;
  case 5: return value % 10;
  case 6: return value << 2;
  case 7: return value ^ 0x55;
  }
  return 0;
}

volatile int first = 0;

int main(void) {
  for (int day = first; day < 11; day += 2) {
    print(name(day));
    put('\n');
  }
  long value = 100;
  for (int i = first; i < 9; ++i)
    printNumber(value = act(i, value));
  return 0;
}
