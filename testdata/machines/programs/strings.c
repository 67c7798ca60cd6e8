/* Strings of several functions, some of them ends of others. */
#include "print.h"

static const char *const words[] = {"reentrant", "entrant", "ant", "an ant", "",
                                    "entrant"};

static int length(const char *text) {
  int result = 0;
  while (text[result])
    ++result;
  return result;
}

int main(void) {
  int total = 0;
  for (unsigned i = 0; i < sizeof words / sizeof *words; ++i) {
    print(words[i]);
    put('|');
    total += length(words[i]);
  }
  put('\n');
  printNumber(total);
  return 0;
}
