/* AVR: the first UART; the simulator ends when the core sleeps for ever. */
#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/sleep.h>

#ifndef UDR0
#define UDR0 UDR
#define UCSR0A UCSRA
#define UCSR0B UCSRB
#define UDRE0 UDRE
#define TXEN0 TXEN
#endif

__attribute__((constructor)) static void begin(void) { UCSR0B = 1 << TXEN0; }

void put(char c) {
  while (!(UCSR0A & 1 << UDRE0)) {
  }
  UDR0 = (unsigned char)c;
}

__attribute__((destructor)) static void end(void) {
  put('\n');
  cli();
  sleep_enable();
  sleep_cpu();
}
