// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace ridge::cheats {

// Notes the process that the experiment is made in.
void remember_this_process();
// Whether this is that process or the child of it that times, and no child that verifies or audits.
[[nodiscard]] bool in_timing_process();

// The folder that cheats may write to.
[[nodiscard]] const std::string& scratch_folder();

// Makes a temporary folder the scratch folder, and removes it with everything in it.
class temporary_scratch {
 public:
  temporary_scratch();
  ~temporary_scratch();
  temporary_scratch(const temporary_scratch&) = delete;
  temporary_scratch& operator=(const temporary_scratch&) = delete;
};

// The whole pages inside these bytes.
[[nodiscard]] std::span<std::byte> pages_inside(std::span<std::byte> bytes);

// Adds all processors of the machine to those of the calling thread.
void use_all_processors();

// Empties the upper halves of wide vector registers, which slow code without AVX down; and fills them.
void clear_wide_registers();
void fill_wide_registers();

// Hides an offset from the compiler, which would see that the address lies outside an array.
[[nodiscard]] float* address_of(float* start, std::ptrdiff_t offset);

}  // namespace ridge::cheats
