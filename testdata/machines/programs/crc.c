/* A table of constants, and shifts. */
#include "print.h"

static const unsigned short nibbles[16] = {
    0x0000, 0x1021, 0x2042, 0x3063, 0x4084, 0x50a5, 0x60c6, 0x70e7,
    0x8108, 0x9129, 0xa14a, 0xb16b, 0xc18c, 0xd1ad, 0xe1ce, 0xf1ef};
static const char text[] = "123456789";

int main(void) {
  unsigned short crc = 0xffff;
  for (const char *at = text; *at; ++at) {
    crc = (unsigned short)(nibbles[(crc >> 12 ^ *at >> 4) & 15] ^ (unsigned short)(crc << 4));
    crc = (unsigned short)(nibbles[(crc >> 12 ^ *at) & 15] ^ (unsigned short)(crc << 4));
  }
  printNumber(crc); /* 0x29b1 */
  return 0;
}
