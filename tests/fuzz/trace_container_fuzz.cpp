// SPDX-License-Identifier: Apache-2.0
// Any bytes as an input file: its members are listed and read, or refused with a reason. What a sound member
// holds does not depend on how it is read.
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>
#include <vector>

#include <ridge/base/error.hpp>
#include <ridge/trace/byte_source.hpp>

namespace {

using namespace ridge::trace;

constexpr read_limits limits{.memory_bytes = 1 << 20, .content_bytes = 4 << 20, .bomb_bytes = 1 << 20};

// nullopt: damaged, or refused for a limit; how much came before depends on the unpacking library.
std::optional<std::string> content(const input_member& member, std::size_t block_bytes) {
  try {
    const auto source = open_member(member, limits);
    if (!source) {
      if (source.why().message.empty()) std::abort();
      return std::nullopt;
    }
    std::string all;
    std::vector<char> block(block_bytes);
    for (auto n = (*source)->read(block); n > 0; n = (*source)->read(block)) all.append(block.data(), n);
    return (*source)->ended_early() ? std::nullopt : std::optional(all);
  } catch (const ridge::failure&) {
    return std::nullopt;
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  constexpr std::size_t most_members = 8;
  const int file = ::memfd_create("fuzzed", 0);
  if (file < 0 || ::write(file, data, size) != static_cast<ssize_t>(size)) std::abort();
  const auto members = members_of("/proc/self/fd/" + std::to_string(file), limits);
  if (!members && members.why().message.empty()) std::abort();
  for (std::size_t i = 0; members.ok() && i < std::min(members->size(), most_members); ++i) {
    const auto fine = content((*members)[i], 61), coarse = content((*members)[i], 1 << 16);
    if (fine && coarse && *fine != *coarse) std::abort();
  }
  ::close(file);
  return 0;
}
