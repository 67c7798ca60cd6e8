/* Calls that go deep, and calls of each other. */
#include "print.h"

static int isOdd(int n);
__attribute__((noinline)) static int isEven(int n) { return n == 0 ? 1 : isOdd(n - 1); }
__attribute__((noinline)) static int isOdd(int n) { return n == 0 ? 0 : isEven(n - 1); }
__attribute__((noinline)) static long fibonacci(int n) {
  return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}
static int moves;
__attribute__((noinline)) static void hanoi(int disks, int from, int to) {
  if (disks == 0)
    return;
  hanoi(disks - 1, from, 6 - from - to);
  ++moves;
  hanoi(disks - 1, 6 - from - to, to);
}

int main(void) {
  printNumber(fibonacci(14));
  printNumber(isEven(21));
  hanoi(6, 1, 3);
  printNumber(moves);
  return 0;
}
