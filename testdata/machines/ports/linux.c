/* Linux without a library, for user-mode emulators of m68k, OpenRISC and RISC-V. */
int main(void);

#if defined(__m68k__)
static long call(long number, long a, long b, long c) {
  register long d0 __asm__("d0") = number;
  register long d1 __asm__("d1") = a;
  register long d2 __asm__("d2") = b;
  register long d3 __asm__("d3") = c;
  __asm__ volatile("trap #0" : "+r"(d0) : "r"(d1), "r"(d2), "r"(d3) : "memory");
  return d0;
}
enum { writeCall = 4, exitCall = 1 };
#elif defined(__riscv)
static long call(long number, long a, long b, long c) {
  register long a7 __asm__("a7") = number;
  register long a0 __asm__("a0") = a;
  register long a1 __asm__("a1") = b;
  register long a2 __asm__("a2") = c;
  __asm__ volatile("ecall" : "+r"(a0) : "r"(a7), "r"(a1), "r"(a2) : "memory");
  return a0;
}
enum { writeCall = 64, exitCall = 93 };
#else
static long call(long number, long a, long b, long c) {
  register long r11 __asm__("r11") = number;
  register long r3 __asm__("r3") = a;
  register long r4 __asm__("r4") = b;
  register long r5 __asm__("r5") = c;
  __asm__ volatile("l.sys 1\n\tl.nop" : "+r"(r11) : "r"(r3), "r"(r4), "r"(r5) : "memory");
  return r11;
}
enum { writeCall = 64, exitCall = 93 };
#endif

void put(char c) { call(writeCall, 1, (long)&c, 1); }

void _start(void) {
  main();
  call(exitCall, 0, 0, 0);
  for (;;) {
  }
}
