// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include <ridge/trace/ids.hpp>

namespace ridge::trace {

// Texts by id: text i ends at `ends[i]` in `text`, where the next one begins.
struct name_table {
  std::span<const std::uint64_t> ends{};
  std::span<const char> text{};

  // Number of texts.
  [[nodiscard]] std::size_t size() const { return ends.size(); }
  [[nodiscard]] std::string_view operator[](name_id id) const;               // "" for `none`
  [[nodiscard]] std::optional<name_id> find(std::string_view wanted) const;  // a linear search
};

// Gives equal texts the same id. Texts are copied; ids count up in the order of first occurrence, and "" is
// 0.
class name_interner {
 public:
  name_interner();
  // Returns the id of the text and adds the text at its first occurrence.
  [[nodiscard]] name_id intern(std::string_view text);
  [[nodiscard]] std::string_view operator[](name_id id) const;
  // Bytes of the texts and of what finds them.
  [[nodiscard]] std::uint64_t memory_bytes() const {
    return text_.size() + ends_.size() * sizeof(std::uint64_t) + slots_.size() * sizeof(slot);
  }
  // Number of different texts so far.
  [[nodiscard]] std::size_t size() const { return ends_.size(); }
  // The texts so far, valid until the next intern().
  [[nodiscard]] name_table table() const { return {.ends = ends_, .text = text_}; }

 private:
  struct slot {
    std::uint32_t hash = 0;  // the upper half, so that few texts are compared
    name_id id = none;
  };
  [[nodiscard]] static std::uint64_t hash_of(std::string_view text);
  void grow();
  std::vector<char> text_{};
  std::vector<std::uint64_t> ends_{};
  std::vector<slot> slots_{};
};

}  // namespace ridge::trace
