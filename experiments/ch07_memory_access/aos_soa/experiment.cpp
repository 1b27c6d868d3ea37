// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <ridge/harness/experiment.hpp>

#include "aos_soa.hpp"

namespace ridge::experiments::ch07_aos_soa {
namespace {

// A group's masses are as far apart as its first two: the compiler makes vectors of neighbours.
template <class Layout>
void multiply(const workload& w, std::span<const float> particles) {
  const auto n = w.product.size();
  constexpr auto step = Layout::at(1, 0, 0) - Layout::at(0, 0, 0);
  for (std::size_t first = 0; first < n; first += group) {
    const float* m = &particles[Layout::at(first, mass, n)];
    const float* c = &particles[Layout::at(first, charge, n)];
    const std::span<float> products = w.product.subspan(first, std::min(group, n - first));
    for (std::size_t k = 0; k < products.size(); ++k) products[k] = m[k * step] * c[k * step];
  }
}

template <class Layout>
void convert(const workload& w, std::span<float> converted) {
  const auto n = w.product.size();
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t f = 0; f < fields; ++f) converted[Layout::at(i, f, n)] = w.particles[i * fields + f];
  }
}

// A variant that keeps its particles in another layout, as number `own` of those that do.
template <class Layout>
variant<workload> in_layout(const char* name, const char* idea, std::size_t own) {
  return {.name = name,
          .idea = idea,
          .run =
              [own](workload& shape, setup& s) {
                shape.converted[own] = s.workspace<float>(grouped_floats(shape));
                return [own](workload& w, call&) { multiply<Layout>(w, w.converted[own]); };
              },
          .stage = [own](workload& w, setup&) { convert<Layout>(w, w.converted[own]); },
          .stage_reason = "a program keeps its particles in this layout; it converts them once, if ever"};
}

double expected(const workload& w, std::size_t i) {
  return w.particles[i * fields + mass] * w.particles[i * fields + charge];
}

void from_structures(workload& w, call&) { multiply<structures>(w, w.particles); }

ladder<workload> cpu() {
  return {
      {.name = "structures",
       .is = role::baseline,
       .idea = "an array of structures: half a line is fetched for the 8 bytes that are used",
       .run = from_structures,
       .traffic = [](const problem& p) { return 40 * p.real("particles"); }},
      in_layout<groups>("groups", "groups of 32 particles: two lines for each field", 0),
      in_layout<arrays>("arrays", "an array per field: only what is used is fetched, by vectors", 1),
  };
}

}  // namespace

experiment make() {
  return experiment_of<workload>{
      .id = "ch07.aos_soa",
      .title = "An array of structures and a structure of arrays",
      .question = "What does the layout of unused fields cost?",
      .answers = {"K7.2"},
      .tags = {"memory", "layout", "simd"},
      .axes = {on_cuda(values("particles", {1 << 20, 1 << 12}, {0, 1, 3, 31, 32, 33, 1001}),
                       {1 << 25, 1 << 20})},
      .make =
          [](const problem& p, memory& m) {
            const auto n = p.count("particles");
            return workload{.particles = m.in<float>(product(n, fields), normal{}),
                            .product = m.out<float>(n)};
          },
      .work =
          [](const problem& p) {
            const auto n = p.count("particles");
            return work::streaming(reads<float>(2, n), writes<float>(n)).with_flop(p.real("particles"));
          },
      .oracle = each_element(&workload::product, expected),
      .element = expected,
      .within = exact(),
      .cpu = cpu,
      .cuda = cuda,
  };
}

}  // namespace ridge::experiments::ch07_aos_soa
