/* The heap, jumps over calls, and the library's sort. needs: libc */
#include "print.h"
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

static jmp_buf back;
static void deep(int n) {
  if (n == 0)
    longjmp(back, 5);
  deep(n - 1);
}
static int byValue(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

int main(void) {
  int *block = malloc(10 * sizeof *block);
  for (int i = 0; i < 10; ++i)
    block[i] = i * 7 % 10;
  qsort(block, 10, sizeof *block, byValue);
  printNumber(block[3]);
  char *copy = malloc(20);
  strcpy(copy, "twenty");
  print(copy);
  put('\n');
  free(block);
  const int got = setjmp(back);
  if (got == 0)
    deep(6);
  printNumber(got);
  return 0;
}
