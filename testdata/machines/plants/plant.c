/* A program that shows by what it prints whether its start-up did its work: variables have their values or are
 * 0, a function runs in RAM, a constructor ran, an interrupt came to its handler, and memory outlived a reset.
 * RAM holds 0xa5 when the power comes. */
#include "print.h"
#include <stdint.h>

volatile int handled;
__attribute__((section(".bss.more"))) static volatile int constructed;
__attribute__((section(".fast"))) volatile uint32_t fast[2] = {11, 12};
volatile uint32_t words[4] = {0, 20, 300, 4000};
volatile uint32_t zeros[40];
__attribute__((section(".bss.keep"))) volatile char survives[8];
__attribute__((constructor)) static void construct(void) { constructed = 1; }
void interrupt(void);

static void show(void) {
  ++words[0];
  printNumber((long)(words[0] + words[1] + words[2] + words[3]));
  long sum = 0;
  for (int i = 0; i < 40; ++i)
    sum += (long)zeros[i];
  printNumber(sum);
  printNumber((long)(fast[0] * fast[1]));
  printNumber(constructed);
  interrupt();
  printNumber(handled);
}

#ifdef __AVR__
#include <avr/interrupt.h>
#include <avr/io.h>
void interrupt(void) {
  TIMSK0 = 1 << TOIE0;
  TCCR0B = 1;
  sei();
  for (volatile int i = 0; i < 100; ++i) {
  }
}
int main(void) {
  show();
  return 0;
}
#else
extern uint32_t _sidata[], _sdata[], _edata[], _sbss[], _ebss[], _estack[];
extern void (*_sinit[])(void), (*_einit[])(void);
void start(void);

#ifdef __riscv
__attribute__((naked)) static int call(int operation, const void *argument) {
  __asm__(".option push\n.option norvc\n.balign 16\nslli x0, x0, 0x1f\nebreak\nsrai x0, x0, 7\n.option pop\nret");
}
void interrupt(void) { handled = 1; }
__attribute__((naked, section(".isr_vector"))) void Reset_Handler(void) {
  __asm__("la t0, 1f\ncsrw mtvec, t0\nla sp, _estack\nj start\n.balign 4\n1: la sp, _estack\nj HardFault_Handler");
}
#else
static int call(int operation, const void *argument) {
  register int r0 __asm__("r0") = operation;
  register const void *r1 __asm__("r1") = argument;
  __asm__ volatile("bkpt 0xab" : "+r"(r0) : "r"(r1) : "memory");
  return r0;
}
void interrupt(void) { __asm__ volatile("svc 0"); }
void Reset_Handler(void) { start(); }
void Default_Handler(void) {
  for (;;) {
  }
}
#define WEAK __attribute__((weak, alias("Default_Handler")))
void NMI_Handler(void) WEAK;
void SVC_Handler(void) WEAK;
void PendSV_Handler(void) WEAK;
void SysTick_Handler(void) WEAK;
void HardFault_Handler(void);
__attribute__((used, section(".isr_vector"))) static void *const vectors[48] = {
    _estack, Reset_Handler, NMI_Handler, HardFault_Handler, HardFault_Handler, HardFault_Handler, HardFault_Handler,
    [11] = SVC_Handler, [14] = PendSV_Handler, [15] = SysTick_Handler};
#endif

void put(char c) { call(3, &c); }

void HardFault_Handler(void) {
  print("fault\n");
  call(0x18, (void *)0x20026);
}

void start(void) {
  volatile uint32_t *const boots = (uint32_t *)(RAM + 0x2ffc);
#ifdef VTOR
  *(volatile uint32_t *)0xe000ed08 = (uint32_t)vectors;
#endif
  if (!*boots)
    for (volatile uint32_t *p = (uint32_t *)RAM; p < (uint32_t *)(RAM + 0x2800); ++p)
      *p = 0xa5a5a5a5;
  ++*boots;
  volatile uint32_t *from = _sidata;
  for (volatile uint32_t *to = _sdata; to < _edata;)
    *to++ = *from++;
  for (volatile uint32_t *to = _sbss; to < _ebss;)
    *to++ = 0;
  for (void (**init)(void) = _sinit; init < _einit; ++init)
    (*init)();
  if (*boots == 1) {
    show();
    for (int i = 0; i < 8; ++i)
      survives[i] = 5;
    start();
  }
  long sum = 0;
  for (int i = 0; i < 8; ++i)
    sum += survives[i];
  printNumber(sum);
  call(0x18, (void *)0x20026);
}
#endif
