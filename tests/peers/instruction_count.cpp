// SPDX-License-Identifier: Apache-2.0
#include "instruction_count.hpp"

#include <array>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string_view>

#include <fmt/format.h>

namespace ridge::peers {
namespace {

struct closes_pipe {
  void operator()(std::FILE* pipe) const { ::pclose(pipe); }
};

std::string output_of(const std::string& command) {
  const std::unique_ptr<std::FILE, closes_pipe> pipe(::popen(command.c_str(), "r"));
  if (!pipe) throw failure({fmt::format("cannot start a shell for: {}", command), "check the process limit"});
  std::string text;
  std::array<char, 4096> part{};
  while (const auto n = std::fread(part.data(), 1, part.size(), pipe.get())) text.append(part.data(), n);
  return text;
}

std::string quoted(std::string_view path) {
  std::string word = "'";
  for (const char c : path) word += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return word + "'";
}

}  // namespace

bool valgrind_present() { return !output_of("command -v valgrind").empty(); }

result<std::uint64_t> instructions(const std::string& program, std::uint64_t argument) {
  const auto text = output_of(fmt::format(
      "valgrind --tool=callgrind --callgrind-out-file=/dev/null {} {} 2>&1", quoted(program), argument));
  constexpr std::string_view key = "Collected : ";
  const auto at = text.find(key);
  if (at == std::string::npos) {
    return error{fmt::format("callgrind counted nothing in {}: {}", program, text), "run it by hand"};
  }
  return std::strtoull(text.c_str() + at + key.size(), nullptr, 10);
}

result<double> instructions_per_iteration(const std::string& program, std::uint64_t n) {
  const auto once = instructions(program, n), twice = instructions(program, 2 * n);
  if (!once) return once.why();
  if (!twice) return twice.why();
  return (static_cast<double>(*twice) - static_cast<double>(*once)) / static_cast<double>(n);
}

}  // namespace ridge::peers
