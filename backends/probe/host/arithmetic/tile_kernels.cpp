// SPDX-License-Identifier: Apache-2.0
#if defined(__x86_64__)

#include <algorithm>

#include "arithmetic/arithmetic_kernels.hpp"

namespace ridge::backends::probe_host {
namespace {

// The configuration of tiles (Intel SDM volume 1, 18.2): palette 1, bytes per row and rows of each tile.
struct alignas(64) tile_shapes {
  std::uint8_t palette = 1, start_row = 0;
  std::array<std::uint8_t, 14> reserved{};
  std::array<std::uint16_t, 16> row_bytes{};
  std::array<std::uint8_t, 16> rows{};
};
static_assert(sizeof(tile_shapes) == 64);

tile_shapes eight_full_tiles() {
  tile_shapes shapes;
  std::fill_n(shapes.row_bytes.begin(), 8, std::uint16_t{64});
  std::fill_n(shapes.rows.begin(), 8, std::uint8_t{16});
  return shapes;
}

// C is tiles 0 to 3, A is 4 and 5, B is 6 and 7: four products are independent, and each operand is used
// twice.
#define RIDGE_TILES(name, op)                                                                  \
  void name(operands& operands, std::int64_t rounds) {                                         \
    static const tile_shapes shapes = eight_full_tiles();                                      \
    asm volatile(                                                                              \
        "ldtilecfg %[shapes]\n\t"                                                              \
        ".irp t,0,1,2,3,4,5,6,7\n\t"                                                           \
        "tileloadd 1024*\\t(%[x],%[stride],1), %%tmm\\t\n\t .endr\n\t"                         \
        ".p2align 6\n"                                                                         \
        "1:\n\t" op " %%tmm6, %%tmm4, %%tmm0\n\t" op " %%tmm7, %%tmm4, %%tmm1\n\t" op          \
        " %%tmm6, %%tmm5, %%tmm2\n\t" op                                                       \
        " %%tmm7, %%tmm5, %%tmm3\n\t"                                                          \
        "dec %[n]\n\t"                                                                         \
        "jnz 1b\n\t"                                                                           \
        ".irp t,0,1,2,3\n\t"                                                                   \
        "tilestored %%tmm\\t, 1024*\\t(%[x],%[stride],1)\n\t .endr\n\t"                        \
        "tilerelease\n\t"                                                                      \
        : [n] "+&r"(rounds)                                                                    \
        : [x] "r"(operands.bytes.data()), [stride] "r"(std::int64_t{64}), [shapes] "m"(shapes) \
        : "cc", "memory");                                                                     \
  }

}  // namespace

RIDGE_TILES(run_bf16_tiles, "tdpbf16ps")
RIDGE_TILES(run_int8_tiles, "tdpbssd")

}  // namespace ridge::backends::probe_host

#endif
