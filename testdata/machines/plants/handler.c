/* The program's interrupt handler. C++ without extern "C" mangles its name. */
#ifdef __AVR__
#undef HANDLER
#define HANDLER __vector_16
void HANDLER(void) __attribute__((signal, used));
#endif
extern volatile int handled;
void HANDLER(void) { handled = 1; }
