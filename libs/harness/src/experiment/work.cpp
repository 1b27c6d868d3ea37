// SPDX-License-Identifier: Apache-2.0
#include <ridge/harness/work.hpp>

namespace ridge {

tolerance accumulation(double terms, double unit_roundoff, double scale) {
  return {.abs = 8 * unit_roundoff * terms * scale, .rel = 8 * unit_roundoff};
}

}  // namespace ridge
