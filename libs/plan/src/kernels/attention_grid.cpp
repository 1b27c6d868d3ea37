// SPDX-License-Identifier: Apache-2.0
#include "attention_grid.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "layer_tables.hpp"
#include "table_file.hpp"

namespace ridge::plan::kernels {
namespace {

std::vector<double> axis_from_zero(const std::vector<double>& values) {
  std::vector<double> axis{values};
  axis.push_back(0);
  std::ranges::sort(axis);
  axis.erase(std::ranges::unique(axis).begin(), axis.end());
  return axis;
}

std::size_t place_on(const std::vector<double>& axis, double value) {
  return static_cast<std::size_t>(std::ranges::lower_bound(axis, value) - axis.begin());
}

double between(double below, double above, double share) { return below + share * (above - below); }

}  // namespace

std::size_t attention_grid::cell(std::size_t chunk, std::size_t context, std::size_t decodes,
                                 std::size_t decode_context) const {
  return ((chunk * contexts_.size() + context) * decodes_.size() + decodes) * decode_contexts_.size() +
         decode_context;
}

result<attention_grid> attention_grid::read(const std::filesystem::path& file) {
  constexpr double second_per_us = 1e-6;
  auto table = table_file::read(file);
  if (!table) {
    return table.why();
  }
  const auto chunks = table->numbers("prefill_chunk");
  const auto contexts = table->numbers("kv_prefill");
  const auto decodes = table->numbers("n_decode");
  const auto decode_contexts = table->numbers("kv_decode");
  const auto times = table->numbers("time_us");
  for (const auto* column : {&chunks, &contexts, &decodes, &decode_contexts, &times}) {
    if (!*column) {
      return column->why();
    }
  }
  attention_grid grid;
  grid.chunks_ = axis_from_zero(*chunks);
  grid.contexts_ = axis_from_zero(*contexts);
  grid.decodes_ = axis_from_zero(*decodes);
  grid.decode_contexts_ = axis_from_zero(*decode_contexts);
  grid.seconds_.assign(grid.cell(grid.chunks_.size(), 0, 0, 0), std::numeric_limits<double>::quiet_NaN());
  for (std::size_t row = 0; row < times->size(); ++row) {
    grid.seconds_[grid.cell(
        place_on(grid.chunks_, (*chunks)[row]), place_on(grid.contexts_, (*contexts)[row]),
        place_on(grid.decodes_, (*decodes)[row]), place_on(grid.decode_contexts_, (*decode_contexts)[row]))] =
        (*times)[row] * second_per_us;
  }
  grid.fill_gaps();
  if (std::ranges::any_of(grid.seconds_, [](double s) { return std::isnan(s); })) {
    return error{
        file.string() + ": prompts or decoding sequences alone were not measured at every context",
        "give rows with n_decode 0 for each prefill_chunk and kv_prefill, and with prefill_chunk 0 for each "
        "n_decode and kv_decode"};
  }
  return grid;
}

// Fills the points that the format leaves out: contexts of absent prompts or sequences, and more sequences
// beside a prompt than were measured, along the line of the last two.
void attention_grid::fill_gaps() {
  const auto each = [&](auto&& fill) {
    for (std::size_t c = 0; c < chunks_.size(); ++c) {
      for (std::size_t k = 0; k < contexts_.size(); ++k) {
        for (std::size_t n = 0; n < decodes_.size(); ++n) {
          for (std::size_t d = 0; d < decode_contexts_.size(); ++d) {
            auto& at = seconds_[cell(c, k, n, d)];
            if (std::isnan(at)) {
              at = fill(c, k, n, d);
            }
          }
        }
      }
    }
  };
  seconds_[cell(0, 0, 0, 0)] = 0;
  each([&](std::size_t c, std::size_t k, std::size_t n, std::size_t d) {
    if (n == 0) {
      return seconds_[cell(c, c == 0 ? 0 : k, 0, 0)];
    }
    return seconds_[cell(c, c == 0 ? 0 : k, n, std::max<std::size_t>(d, 1))];
  });
  each([&](std::size_t c, std::size_t k, std::size_t n, std::size_t d) {
    if (n < 2) {
      return std::numeric_limits<double>::quiet_NaN();
    }
    const auto share = (decodes_[n] - decodes_[n - 2]) / (decodes_[n - 1] - decodes_[n - 2]);
    return between(seconds_[cell(c, k, n - 2, d)], seconds_[cell(c, k, n - 1, d)], share);
  });
}

double attention_grid::decodes_s(const point& position, std::size_t chunk, std::size_t context) const {
  const auto n = bracket_of(decodes_, position.decodes);
  const auto d = bracket_of(decode_contexts_, std::max(position.decode_context, decode_contexts_[1]));
  const auto line = [&](std::size_t decodes) {
    return between(seconds_[cell(chunk, context, decodes, d.below)],
                   seconds_[cell(chunk, context, decodes, d.above)], d.share);
  };
  return between(line(n.below), line(n.above), n.share);
}

double attention_grid::seconds(const point& position) const {
  const auto c = bracket_of(chunks_, position.chunk);
  const auto k = bracket_of(contexts_, position.chunk_context);
  const auto line = [&](std::size_t chunk) {
    const auto below = decodes_s(position, chunk, k.below);
    return k.share == 0 ? below : between(below, decodes_s(position, chunk, k.above), k.share);
  };
  const auto below = line(c.below);
  return c.share == 0 ? below : between(below, line(c.above), c.share);
}

double attention_grid::next_bend(double decode_context) const {
  const auto above = std::ranges::upper_bound(decode_contexts_, decode_context);
  const bool last = above == decode_contexts_.end() || above + 1 == decode_contexts_.end();
  return last ? std::numeric_limits<double>::infinity() : *above;
}

double attention_grid::smallest_chunk() const { return chunks_.size() > 1 ? chunks_[1] : 0; }

}  // namespace ridge::plan::kernels
