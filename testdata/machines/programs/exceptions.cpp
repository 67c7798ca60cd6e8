// Exceptions through frames with destructors. needs: exceptions
#include "print.h"
#include <stdexcept>
#include <string>

static int destroyed;
struct Guard {
  ~Guard() { ++destroyed; }
};
__attribute__((noinline)) static void fail(int n) {
  Guard guard;
  if (n == 0)
    throw std::runtime_error("deep");
  fail(n - 1);
}

int main() {
  try {
    fail(4);
  } catch (const std::exception &e) {
    print(e.what());
    put('\n');
  }
  printNumber(destroyed);
  try {
    throw 42;
  } catch (int n) {
    printNumber(n);
  }
  return 0;
}
