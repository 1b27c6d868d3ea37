// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace ridge::judge {

inline constexpr std::size_t most_arrays = 32;
inline constexpr std::size_t most_parameters = 24;

// One array of a member in the shared memory: inputs lie in one mapping, everything else in the other.
struct array_place {
  std::array<char, 16> name{};
  std::int32_t type = 0;       // the number of ridge::dtype, which is that of enum ridge_element_type
  std::int32_t direction = 0;  // enum ridge_direction
  std::uint64_t count = 0;
  std::uint64_t bytes = 0;
  std::uint64_t offset = 0;  // of the payload in its member
};

// One axis of the problem.
struct parameter_place {
  std::array<char, 48> name{};
  std::int32_t kind = 0;  // enum ridge_parameter_kind
  std::int64_t integer = 0;
  double real = 0;
  std::array<char, 80> text{};
};

enum class arm_kind : std::uint32_t { candidate, variant };

// What a runner is started with. The judge writes it into memory that nobody can change afterwards; both
// sides are the same program, so that it needs no version.
struct assignment {
  arm_kind kind = arm_kind::candidate;
  std::uint32_t variant = 0;  // index of the variant; of arm_kind::variant
  std::uint32_t threads = 1;
  std::uint32_t on_gpu = 0;  // 1: the arrays lie in memory of a GPU
  std::uint32_t array_count = 0, parameter_count = 0;
  std::uint64_t members = 1;                          // how many problems the memory holds
  std::uint64_t input_stride = 0, output_stride = 0;  // bytes of a member
  std::uint64_t input_bytes = 0, output_bytes = 0;    // bytes of the mappings
  std::uint64_t memory_limit = 0;                     // bytes that the runner may map besides these
  std::uint64_t processor_seconds = 0;                // limit of processor time
  std::array<char, 96> experiment{};
  std::array<char, 4096> path{};  // of the candidate, where it cannot be copied
  std::array<array_place, most_arrays> arrays{};
  std::array<parameter_place, most_parameters> parameters{};
};

// The descriptors that a runner starts with, after the three standard streams.
namespace descriptor {
inline constexpr int control = 3, assigned = 4, inputs = 5, outputs = 6, candidate = 7;
inline constexpr int after_last = 8;
}  // namespace descriptor

}  // namespace ridge::judge
