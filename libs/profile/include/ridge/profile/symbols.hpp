// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace ridge::profile {

// The functions of one ELF file (64-bit, this machine's byte order), read from .symtab, else from .dynsym.
class elf_symbols {
 public:
  // Reads the file. A file that cannot be read or is not ELF has no functions.
  explicit elf_symbols(const std::string& path);
  // Reads the functions from a file's bytes.
  [[nodiscard]] static elf_symbols of(std::string_view bytes);

  // Returns the function at an offset in the file, with its C++ name demangled; "" where none is known.
  [[nodiscard]] std::string function_at(std::uint64_t file_offset) const;
  [[nodiscard]] std::size_t size() const { return functions_.size(); }

 private:
  elf_symbols() = default;
  void read(std::string_view bytes);
  struct segment {
    std::uint64_t offset = 0, length = 0, address = 0;
  };
  struct function {
    std::uint64_t address = 0, length = 0;
    std::string name{};
  };
  std::vector<segment> segments_{};
  std::vector<function> functions_{};  // by address
};

// Functions of many files. Each file is read once and each place is looked up once, because stacks repeat.
class symbol_cache {
 public:
  // Returns the function at an offset of a file; "" where none is known. The reference stays valid as long as
  // the cache.
  [[nodiscard]] const std::string& function_at(const std::string& file, std::uint64_t file_offset);

 private:
  struct known_file {
    elf_symbols symbols;
    std::unordered_map<std::uint64_t, std::string> functions{};  // by offset
  };
  std::map<std::string, known_file> files_{};
};

}  // namespace ridge::profile
