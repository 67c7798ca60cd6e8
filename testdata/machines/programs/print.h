/* Programs for every machine: they print, and a port says how. */
#ifndef PRINT_H
#define PRINT_H
#ifdef __cplusplus
extern "C" {
#endif
void put(char c);
void print(const char *text);
void printNumber(long number);
#ifdef __cplusplus
}
#endif
#endif
