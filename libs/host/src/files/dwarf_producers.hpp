// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "files/elf_file.hpp"

namespace ridge::host {

// A compilation unit: where it begins in .debug_info, and the compiler that made it (DW_AT_producer).
struct compilation_unit {
  std::uint64_t offset = 0;
  std::string producer{};
};

// Returns the units of compilers, without those of assemblers, which hold no code to optimize; DWARF 2 to 5.
// Reads up to the first unit that it does not understand; `whole` receives whether it understood all of them.
[[nodiscard]] std::vector<compilation_unit> compilation_units(const elf_file& file, bool& whole);

// Returns the offset of the unit that holds an address, by .debug_aranges; nothing where it tells none.
[[nodiscard]] std::optional<std::uint64_t> unit_at(const elf_file& file, std::uint64_t address);

}  // namespace ridge::host
