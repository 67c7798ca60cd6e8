/* Data with initial values, and a comparison by pointer. */
#include "print.h"

static int numbers[] = {41, -7, 300, 12, 0, 12, -300, 99};
enum { count = sizeof numbers / sizeof *numbers };

static int less(int a, int b) { return a < b; }
static int more(int a, int b) { return a > b; }
int (*volatile before)(int, int) = less;

static void sort(void) {
  for (int i = 1; i < count; ++i)
    for (int j = i; j > 0 && before(numbers[j], numbers[j - 1]); --j) {
      const int kept = numbers[j];
      numbers[j] = numbers[j - 1];
      numbers[j - 1] = kept;
    }
}

int main(void) {
  sort();
  for (int i = 0; i < count; ++i)
    printNumber(numbers[i]);
  before = more;
  sort();
  printNumber(numbers[0]);
  return 0;
}
