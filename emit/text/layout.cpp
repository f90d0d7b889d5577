// Filling of groups: see layout.h.
//
// In:   marked text.  Out: lines. One walk over the tree of groups; the width of every group is
// computed once. Tested by tests/unit/emit/text_test.cpp.
#include "emit/text/layout.h"

#include <algorithm>

#include "emit/text/code.h"

namespace pyk2cu::emit {

namespace {

constexpr int kFarRight = 56;  // columns behind which continuations do not line up

struct Piece {
  enum class Kind : unsigned char { kText, kBreak, kCut, kGroup } kind = Kind::kText;
  std::string_view text{};
  std::vector<Piece> inner{};
  int width = 0;  // on one line
};

int columns_of(std::string_view text) {  // UTF-8
  return static_cast<int>(
      std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xc0) != 0x80; }));
}

// On one line? Text has as many bytes as columns, or more.
bool fits(std::string_view marked, int indent) {
  return indent + static_cast<int>(marked.size()) <= kColumns ||
         indent + columns_of(plain(marked)) <= kColumns;
}

// Pieces up to the end of the group.
std::vector<Piece> parse(std::string_view& text) {
  std::vector<Piece> pieces;
  while (!text.empty() && text[0] != mark::kClose) {
    Piece piece;
    if (!mark::is_mark(text[0])) {
      const auto end = std::ranges::find_if(text, mark::is_mark);
      piece.text = text.substr(0, size_t(end - text.begin()));
      piece.width = columns_of(piece.text);
      text.remove_prefix(piece.text.size());
    } else if (text[0] == mark::kOpen) {
      text.remove_prefix(1);
      piece.kind = Piece::Kind::kGroup;
      piece.inner = parse(text);
      for (const Piece& p : piece.inner) piece.width += p.width;
      if (!text.empty()) text.remove_prefix(1);
    } else {
      piece.kind = text[0] == mark::kBreak ? Piece::Kind::kBreak : Piece::Kind::kCut;
      piece.width = text[0] == mark::kBreak;
      text.remove_prefix(1);
    }
    pieces.push_back(std::move(piece));
  }
  return pieces;
}

class Layout {
 public:
  explicit Layout(int indent) : indent_(indent) { lines_.push_back({indent, ""}); }

  std::vector<Line> run(const std::vector<Piece>& pieces) {
    fill(pieces, indent_ + 4, 0);
    return std::move(lines_);
  }

 private:
  int column() const { return lines_.back().indent + columns_of(lines_.back().text); }

  void end_line(int indent) {
    std::string& text = lines_.back().text;
    while (!text.empty() && text.back() == ' ') text.pop_back();
    lines_.push_back({indent, ""});
  }

  void flat(const Piece& piece) {
    if (piece.kind == Piece::Kind::kBreak) lines_.back().text += ' ';
    lines_.back().text += piece.text;
    for (const Piece& p : piece.inner) flat(p);
  }

  // Columns from piece k on to where the line may end next.
  static int until_break(const std::vector<Piece>& pieces, size_t k, int tail) {
    int width = 0;
    for (; k < pieces.size(); ++k) {
      const bool may_end =
          pieces[k].kind == Piece::Kind::kBreak || pieces[k].kind == Piece::Kind::kCut;
      if (may_end) return width;
      width += pieces[k].width;
    }
    return width + tail;
  }

  // `tail`: columns of what follows the group on its last line.
  void fill(const std::vector<Piece>& pieces, int continuation, int tail) {
    for (size_t k = 0; k < pieces.size(); ++k) {
      const Piece& piece = pieces[k];
      const int rest = until_break(pieces, k + 1, tail);
      switch (piece.kind) {
        case Piece::Kind::kText:
          lines_.back().text += piece.text;
          break;
        case Piece::Kind::kGroup:
          if (column() + piece.width + rest <= kColumns)
            flat(piece);
          else
            fill(piece.inner, column() > kFarRight ? indent_ + 8 : column(), rest);
          break;
        case Piece::Kind::kBreak:
          if (column() + 1 + rest <= kColumns)
            lines_.back().text += ' ';
          else
            end_line(continuation);
          break;
        case Piece::Kind::kCut:  // behind a parenthesis that stands far to the right
          if (column() > kFarRight && column() + rest > kColumns) end_line(indent_ + 8);
          break;
      }
    }
  }

  int indent_;
  std::vector<Line> lines_{};
};

}  // namespace

std::vector<Line> lay_out(std::string_view marked, int indent) {
  if (fits(marked, indent)) return {{indent, plain(marked)}};
  return Layout(indent).run(parse(marked));
}

}  // namespace pyk2cu::emit
