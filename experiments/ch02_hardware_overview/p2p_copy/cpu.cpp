// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <span>

#include <ridge/host/team.hpp>

#include "p2p_copy.hpp"

namespace ridge::experiments::ch02_p2p_copy {
namespace {

// The same question between two cores: through a buffer that both see, straight, and both ways at once.
auto through_a_buffer(workload& shape, setup& s) {
  return [buffer = s.workspace<float>(shape.near.size())](workload& w, call&) {
    std::ranges::copy(w.near, buffer.begin());
    std::ranges::copy(buffer, w.there.begin());
    std::ranges::copy(w.far, buffer.begin());
    std::ranges::copy(buffer.first(w.far.size()), w.home.begin());
  };
}

void straight(workload& w, call&) {
  std::ranges::copy(w.near, w.there.begin());
  std::ranges::copy(w.far, w.home.begin());
}

// The first thread copies all that goes there, the second all that comes home.
void by_two_threads(workload& w, call& c) {
  c.team().run([&](int rank, int) {
    if (rank == 0) std::ranges::copy(w.near, w.there.begin());
    if (rank == 1) std::ranges::copy(w.far, w.home.begin());
  });
}

}  // namespace

ladder<workload> cpu() {
  return {
      {.name = "staged",
       .is = role::baseline,
       .idea = "into a buffer, then out of it",
       .run = through_a_buffer},
      {.name = "straight", .idea = "each byte is read and written once", .run = straight},
      {.name = "both_at_once", .idea = "a core for each direction", .run = by_two_threads, .threads = 2},
  };
}

}  // namespace ridge::experiments::ch02_p2p_copy
