// Constructors, virtual calls, templates of one body in two instances. needs: c++
#include "print.h"

struct Shape {
  virtual long area() const = 0;
};
struct Square : Shape {
  long side;
  explicit Square(long side) : side(side) {}
  long area() const override { return side * side; }
};
struct Box : Shape {
  long a, b;
  Box(long a, long b) : a(a), b(b) {}
  long area() const override { return a * b; }
};
volatile long five = 5;
static Square square(five);
static Box box(five + 1, 7);
static const Shape *const shapes[] = {&square, &box};

template <class T> __attribute__((noinline)) T most(const T *values, int count) {
  T result = values[0];
  for (int i = 1; i < count; ++i)
    if (values[i] > result)
      result = values[i];
  return result;
}

int main() {
  for (const Shape *shape : shapes)
    printNumber(shape->area());
  const int ints[] = {3, 9, 4};
  const long longs[] = {30, 90, 40};
  printNumber(most(ints, 3));
  printNumber(most(longs, 3));
  return 0;
}
