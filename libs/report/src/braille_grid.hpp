// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <ridge/report/tone.hpp>

namespace ridge::report {

// Character cells of two by four braille dots, over which texts lie. Dots are square on most terminals.
class braille_grid final {
 public:
  braille_grid(std::size_t columns, std::size_t rows);

  // Places in dots from the upper left corner; outside ones are left out.
  void dot(int x, int y);
  void line(double x0, double y0, double x1, double y1, int every = 1);

  // A text from this cell on; false, and nothing is written, where a text is already or it does not fit.
  bool text(int column, int row, std::string_view words, tone colour = tone::plain);

  [[nodiscard]] std::size_t columns() const { return columns_; }
  [[nodiscard]] std::size_t rows() const { return rows_; }
  // One row of cells, without spaces at its end.
  [[nodiscard]] std::string row(std::size_t index, bool color) const;

 private:
  struct cell {
    unsigned char dots = 0;
    std::string over{};
    tone as = tone::plain;
  };
  std::size_t columns_, rows_;
  std::vector<cell> cells_;
};

}  // namespace ridge::report
