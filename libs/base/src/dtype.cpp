// SPDX-License-Identifier: Apache-2.0
#include <ridge/base/dtype.hpp>

#include <array>

namespace ridge {
namespace {
struct row {
  std::string_view name;
  std::size_t bytes;
};
constexpr std::array<row, 14> rows{{{"u8", 1},
                                    {"i8", 1},
                                    {"u16", 2},
                                    {"i16", 2},
                                    {"u32", 4},
                                    {"i32", 4},
                                    {"u64", 8},
                                    {"i64", 8},
                                    {"e4m3", 1},
                                    {"e5m2", 1},
                                    {"fp16", 2},
                                    {"bf16", 2},
                                    {"fp32", 4},
                                    {"fp64", 8}}};
}  // namespace

std::string_view name(dtype type) { return rows[static_cast<std::size_t>(type)].name; }
std::size_t size_of(dtype type) { return rows[static_cast<std::size_t>(type)].bytes; }

}  // namespace ridge
