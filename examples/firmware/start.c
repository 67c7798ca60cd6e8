/* Vectors and start-up code of a Cortex-M. */
#include <stdint.h>

extern uint32_t __data_load[], __data_start[], __data_end[], __bss_start[], __bss_end[];
extern uint32_t __stack_top[];
int main(void);

void Reset_Handler(void) {
  for (uint32_t *to = __data_start, *from = __data_load; to < __data_end;)
    *to++ = *from++;
  for (uint32_t *to = __bss_start; to < __bss_end;)
    *to++ = 0;
  main();
}

static void Default_Handler(void) {
  for (;;)
    ;
}

__attribute__((section(".vectors"), used)) static const void *const vectors[16] = {
    __stack_top,     Reset_Handler,   Default_Handler, Default_Handler,
    Default_Handler, Default_Handler, Default_Handler, 0,
    0,               0,               0,               Default_Handler,
    Default_Handler, 0,               Default_Handler, Default_Handler,
};
