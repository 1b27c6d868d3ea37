// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include <ridge/profile/cpu_sampler.hpp>

namespace ridge::profile {

struct code_place {
  std::string file{};
  std::uint64_t offset = 0;  // in the file
};

// Which file stands at an address of a process, as its mappings change over time.
class address_spaces {
 public:
  void add(const mapping_made& m);
  void add(const thread_started& t);  // a new process begins with its parent's mappings
  void add(const thread_named& n);    // an exec() forgets them
  [[nodiscard]] std::optional<code_place> place_of(pid_t process, std::uint64_t address) const;

 private:
  struct mapping {
    std::uint64_t end = 0, offset = 0;
    std::string file{};
  };
  std::map<pid_t, std::map<std::uint64_t, mapping>> spaces_{};  // by begin
};

}  // namespace ridge::profile
