// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <span>

#include <ridge/harness/workload.hpp>

namespace ridge::experiments::ch07_aos_soa {

// A particle: position, velocity, mass and charge. A sector of 32 bytes.
inline constexpr std::size_t fields = 8, mass = 6, charge = 7;
// Particles of a group, in which each field lies in a row.
inline constexpr std::size_t group = 32;

// product[i] = mass * charge of particle i: two fields of eight.
struct workload {
  input<float> particles{};  // an array of structures
  output<float> product{};
  // What variants convert the particles to before their calls are timed, each its own.
  std::array<std::span<float>, 3> converted{};
};

// Number of floats in whole groups that hold the particles of `w`.
[[nodiscard]] constexpr std::size_t grouped_floats(const workload& w) {
  return (w.product.size() + group - 1) / group * group * fields;
}

// Where field f of particle i of n lies: in an array of structures; in an array per field; in groups.
struct structures {
  static constexpr std::size_t at(std::size_t i, std::size_t f, std::size_t) { return i * fields + f; }
};
struct arrays {
  static constexpr std::size_t at(std::size_t i, std::size_t f, std::size_t n) { return f * n + i; }
};
struct groups {
  static constexpr std::size_t at(std::size_t i, std::size_t f, std::size_t) {
    return (i / group * fields + f) * group + i % group;
  }
};

[[gnu::weak]] ladder<workload> cuda();
// Each enqueues work of kernels.cu on `queue`: the conversion of the particles to another layout; the
// products of particles in a layout, a thread each; the products from arrays by 16 bytes.
template <class Layout>
void launch_conversion(const workload& w, std::span<float> converted, stream queue);
template <class Layout>
void launch_products(const workload& w, std::span<const float> particles, stream queue);
void launch_array_vectors(const workload& w, std::span<const float> particles, stream queue);

}  // namespace ridge::experiments::ch07_aos_soa
