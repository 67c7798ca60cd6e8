//===- LongText.h - a text that is made while it is written ---------------===//
//
// Problem: reports of many megabytes. To hold one as a string costs its size in
// memory that nobody has touched before, and the system takes longer to hand
// that out than a thread takes to fill it.
//
// Method: a text is a list of pieces, each a function that appends it. Whoever
// writes the text asks several threads for pieces, each into a block that it
// uses again and again.
//
//===----------------------------------------------------------------------===//
#ifndef XLINK_BASE_LONGTEXT_H
#define XLINK_BASE_LONGTEXT_H

#include "base/TextBlock.h"
#include <functional>
#include <string>
#include <vector>

namespace xlink {

/// A text in pieces. What the functions refer to must live as long as it.
class LongText {
public:
  /// Appends always the same, whatever thread calls it, and however often.
  using Make = std::function<void(TextBlock &)>;
  struct Piece {
    std::string text;    ///< stands in front of
    Make make;           ///< what this appends; null: nothing
    size_t expected = 0; ///< about how many letters it will have
  };

  LongText() = default;
  explicit LongText(llvm::StringRef text) { *this += text; }

  LongText &operator+=(llvm::StringRef text) {
    if (list.empty() || list.back().make)
      list.emplace_back();
    list.back().text += text;
    return *this;
  }
  /// Appends what `make` will: about so many letters.
  void add(size_t expected, Make make) {
    if (list.empty() || list.back().make)
      list.emplace_back();
    list.back().make = std::move(make);
    list.back().expected = expected;
  }
  /// Appends a text that is there, as a piece of its own.
  void addText(std::string text) {
    const size_t size = text.size();
    list.push_back({std::move(text), nullptr, size});
  }
  /// Appends another text.
  void add(LongText other) {
    for (Piece &piece : other.list)
      list.push_back(std::move(piece));
  }

  const std::vector<Piece> &pieces() const { return list; }
  bool empty() const { return list.empty(); }
  static void append(const Piece &piece, TextBlock &to) {
    to += piece.text;
    if (piece.make)
      piece.make(to);
  }
  /// All of it.
  std::string str() const {
    TextBlock all;
    for (const Piece &piece : list)
      append(piece, all);
    return all.str().str();
  }

private:
  std::vector<Piece> list;
};

} // namespace xlink
#endif
