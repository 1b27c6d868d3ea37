// SPDX-License-Identifier: Apache-2.0
#include <ridge/host/compile_record.hpp>

#include <dlfcn.h>
#include <link.h>

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include <ridge/base/read_file.hpp>
#include <ridge/base/text.hpp>

#include "files/dwarf_producers.hpp"
#include "files/elf_file.hpp"

namespace ridge::host {
namespace {

// Returns what all records say alike; unknown where they differ.
compile_record common_record(const std::vector<std::string>& all) {
  const auto first = optimization_in(all.front());
  for (const auto& one : all) {
    if (optimization_in(one) != first)
      return {.words = "its parts were compiled differently, and nothing tells which of them holds the code"};
  }
  if (first == optimization::unknown) return {.words = all.front() + ", without its switches"};
  return {first, all.front()};
}

std::vector<std::string> recorded_switches(const elf_file& file) {
  std::vector<std::string> all;
  const auto texts = file.section(".GCC.command.line");
  if (!texts) return all;
  for (byte_reader in(*texts); in.offset() < texts->size() && in.good();) {
    const auto text = std::string(in.text());
    if (!text.empty() && !text.starts_with("GNU AS")) all.push_back(text);
  }
  return all;
}

}  // namespace

optimization optimization_in(const std::string& switches) {
  auto found = optimization::unknown;
  bool any_switch = false;
  for (const auto word : split(switches, ' ')) {
    any_switch = any_switch || (word.size() > 1 && word.front() == '-');
    if (word.starts_with("-O")) found = word == "-O0" ? optimization::off : optimization::on;
  }
  return found == optimization::unknown && any_switch ? optimization::off : found;
}

compile_record compile_record_of(const std::filesystem::path& file, std::uint64_t address) {
  auto bytes = read_file(file);
  if (!bytes) return {.words = bytes.why().message};
  const elf_file elf(std::move(*bytes));
  if (!elf.valid()) return {.words = fmt::format("{} is not an ELF file of 64 bits", file.string())};
  bool whole = false;
  const auto units = compilation_units(elf, whole);
  if (const auto unit = address != 0 ? unit_at(elf, address) : std::nullopt) {
    const auto found = std::ranges::find(units, *unit, &compilation_unit::offset);
    if (found != units.end()) return common_record({found->producer});
  }
  std::vector<std::string> all;
  for (const auto& unit : units) all.push_back(unit.producer);
  if (all.empty() || !whole) all = recorded_switches(elf);
  if (!all.empty()) return common_record(all);
  return {.words = fmt::format("{} records no switches: compile it with -g or -frecord-gcc-switches",
                               file.string())};
}

compile_record compile_record_of(const void* address) {
  Dl_info found{};
  link_map* object = nullptr;
  if (dladdr1(address, &found, reinterpret_cast<void**>(&object), RTLD_DL_LINKMAP) == 0 ||
      found.dli_fname == nullptr || object == nullptr)
    return {.words = "its code lies in no file"};
  const bool program = object->l_name == nullptr || *object->l_name == '\0';
  return compile_record_of(
      program ? std::filesystem::path("/proc/self/exe") : std::filesystem::path(found.dli_fname),
      reinterpret_cast<std::uintptr_t>(address) - object->l_addr);
}

}  // namespace ridge::host
