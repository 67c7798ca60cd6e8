/* A list that the linker makes of a section's entries: __start_ and __stop_. */
#include "print.h"

struct Test {
  int number;
  int (*run)(void);
};
#define TEST(name, result)                                                     \
  static int name(void) { return result; }                                    \
  static const struct Test name##Test                                         \
      __attribute__((used, section("tests"))) = {__LINE__, name}

TEST(one, 11);
TEST(two, 22);
TEST(three, 33);

extern const struct Test __start_tests[], __stop_tests[];

int main(void) {
  int sum = 0;
  for (const struct Test *t = __start_tests; t != __stop_tests; ++t)
    sum += t->run();
  printNumber(sum);
  printNumber(__stop_tests - __start_tests);
  return 0;
}
