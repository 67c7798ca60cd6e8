/* Addresses in data: of functions, of data, of the inside of an array. */
#include "print.h"

struct Node {
  const char *name;
  struct Node *next;
  void (*act)(struct Node *);
  int count;
};

static void twice(struct Node *node) { node->count *= 2; }
static void once(struct Node *node) { ++node->count; }
extern struct Node ring[4];
struct Node ring[4] = {{"a", &ring[2], once, 1},
                       {"b", &ring[0], twice, 2},
                       {"c", &ring[3], twice, 3},
                       {"d", &ring[1], once, 4}};
static int cells[8] = {1, 2, 3, 4, 5, 6, 7, 8};
static int *const middle = &cells[4];

int main(void) {
  struct Node *at = ring;
  for (int i = 0; i < 9; ++i) {
    at->act(at);
    at = at->next;
  }
  for (int i = 0; i < 4; ++i) {
    print(ring[i].name);
    put('=');
    printNumber(ring[i].count);
  }
  printNumber(middle[-2] + middle[3]);
  return 0;
}
