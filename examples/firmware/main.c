/* Counts in a variable with an initial value (.data), and in one without (.bss). */
static volatile int counter = 41;
volatile int rounds;

int main(void) {
  for (;;) {
    counter++;
    rounds++;
  }
}
