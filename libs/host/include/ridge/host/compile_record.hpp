// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace ridge::host {

// Whether a compiler says that it optimized.
enum class optimization : std::uint8_t { unknown, off, on };

// What an object file tells of how code was compiled.
struct compile_record {
  host::optimization optimization{host::optimization::unknown};
  std::string words{};  // the compiler and its switches; for `unknown` why nothing is known
};

// Returns what switches that a compiler recorded say: "GNU C17 12.2.0 -march=x86-64 -O2". Switches without
// any -O mean that it did not optimize; a record without switches means nothing. -Og counts as optimized.
[[nodiscard]] optimization optimization_in(const std::string& switches);

// Returns what an ELF file of this machine's word size (a program, a shared object, an object) records of the
// code at `address`, in the numbering of the file; 0 asks for all of its code. It reads DW_AT_producer of
// DWARF 2 to 5 (-g), else the section .GCC.command.line (-frecord-gcc-switches). Where units differ and
// nothing tells which of them holds the address, where sections are compressed, or where nothing was
// recorded, it is unknown.
[[nodiscard]] compile_record compile_record_of(const std::filesystem::path& file, std::uint64_t address = 0);

// Returns the same of the code of this process at `address`, from the file that it was loaded from.
[[nodiscard]] compile_record compile_record_of(const void* address);

}  // namespace ridge::host
