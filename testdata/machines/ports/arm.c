/* Cortex-M: vectors, start-up and semihosting. */
#include <stddef.h>
#include <stdint.h>

extern uint32_t __data_start__[], __data_end__[], __bss_start__[], __bss_end__[], __etext[], __stack[];
extern void (*__init_array_start[])(void), (*__init_array_end[])(void);
int main(void);

static int call(int operation, const void *argument) {
  register int r0 __asm__("r0") = operation;
  register const void *r1 __asm__("r1") = argument;
  __asm__ volatile("bkpt 0xab" : "+r"(r0) : "r"(r1) : "memory");
  return r0;
}

void put(char c) { call(3, &c); }

void Reset_Handler(void) {
  uint32_t *from = __etext;
  for (uint32_t *to = __data_start__; to < __data_end__;)
    *to++ = *from++;
  for (uint32_t *to = __bss_start__; to < __bss_end__;)
    *to++ = 0;
  for (void (**init)(void) = __init_array_start; init < __init_array_end; ++init)
    (*init)();
  main();
  call(0x18, (void *)0x20026);
  for (;;) {
  }
}

static void stop(void) { call(0x18, (void *)0x20023); }

__attribute__((used, section(".vectors"))) static void *const vectors[16] = {
    __stack, Reset_Handler, stop, stop, stop, stop, stop};

/* For the C library, and C++'s. */
void *__dso_handle;
int getentropy(void *buffer, size_t size) {
  (void)buffer, (void)size;
  return -1;
}
extern char end[];
void *_sbrk(ptrdiff_t size) {
  static char *top = end;
  char *before = top;
  top += size;
  return before;
}
