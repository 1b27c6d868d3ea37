// SPDX-License-Identifier: Apache-2.0
#include <ridge/harness/experiment.hpp>

#include "aos_soa.hpp"

namespace ridge::experiments::ch07_aos_soa {
namespace {

using conversion = void (*)(const workload&, std::span<float>, stream);
using products = void (*)(const workload&, std::span<const float>, stream);

// A variant that keeps its particles in another layout, as number `own` of those that do.
variant<workload> in_layout(const char* name, const char* idea, std::size_t own, conversion convert,
                            products run) {
  return {.name = name,
          .idea = idea,
          .run =
              [own, run](workload& shape, setup& s) {
                shape.converted[own] = s.workspace<float>(grouped_floats(shape));
                return [own, run](workload& w, call& c) { run(w, w.converted[own], c.queue()); };
              },
          .stage = [own, convert](workload& w, setup& s) { convert(w, w.converted[own], s.queue()); },
          .stage_reason = "a program keeps its particles in this layout; it converts them once, if ever"};
}

void from_structures(workload& w, call& c) { launch_products<structures>(w, w.particles, c.queue()); }

}  // namespace

ladder<workload> cuda() {
  return {
      {.name = "structures",
       .is = role::baseline,
       .idea = "an array of structures: 32 bytes are fetched for the 8 that are used",
       .run = from_structures,
       .traffic = [](const problem& p) { return 36 * p.real("particles"); }},
      in_layout("groups", "groups of 32 particles: a line of 128 bytes for each field", 0,
                launch_conversion<groups>, launch_products<groups>),
      in_layout("arrays", "an array per field: only what is used is fetched", 1, launch_conversion<arrays>,
                launch_products<arrays>),
      in_layout("array_vectors", "the same by 16 bytes a load, eight loads on the way", 2,
                launch_conversion<arrays>, launch_array_vectors),
  };
}

}  // namespace ridge::experiments::ch07_aos_soa
