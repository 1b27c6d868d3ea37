// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <ridge/base/dtype.hpp>
#include <ridge/model/ceiling.hpp>
#include <ridge/model/names.hpp>

namespace ridge::harness {

// How near one call came to the ceiling that limits it.
struct ceiling_share {
  double share = 0;  // of the ceiling; 0: no ceiling applies
  std::string id{};  // "cpu.triad, 2 threads"
  model::bound bound{model::bound::unknown};
};

// The limiting ceiling is the one whose least time for the work is longest: bytes over the triad's bandwidth
// where the call's arrays exceed the caches it was measured beyond, operations over the multiply-add peak of
// the type they are done in (none where that type has not been measured). A call of which neither fills 2 %
// is bound by latency.
[[nodiscard]] ceiling_share share_of_ceiling(const model::peak& peak, double flop, double bytes,
                                             double seconds, int threads, double array_bytes,
                                             dtype arithmetic);

}  // namespace ridge::harness
