/* The C library: formats. needs: libc */
#include "print.h"
#include <stdio.h>
#include <string.h>

int main(void) {
  char line[60];
  snprintf(line, sizeof line, "%d %5ld %-4s| %x %c %05u\n", -3, 70000l, "ab", 48879u, 'z', 42u);
  print(line);
  printNumber((long)strlen(line));
  return 0;
}
