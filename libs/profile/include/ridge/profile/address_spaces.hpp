// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include <ridge/profile/cpu_sampler.hpp>

namespace ridge::profile {

// A place in the code of a file.
struct code_place {
  std::string file{};
  std::uint64_t offset = 0;  // bytes from the start of the file
};

// Finds the file at an address of a process while mappings change. Records are added in order of time.
class address_spaces {
 public:
  // Applies a record to the mappings of its process.
  void add(const mapping_made& m);
  void add(const thread_started& t);  // a new process begins with its parent's mappings
  void add(const thread_named& n);    // an exec() forgets them
  // Returns the file and offset mapped at an address; nullopt where no file is mapped there.
  [[nodiscard]] std::optional<code_place> place_of(pid_t process, std::uint64_t address) const;

 private:
  struct mapping {
    std::uint64_t end = 0, offset = 0;
    std::string file{};
  };
  std::map<pid_t, std::map<std::uint64_t, mapping>> spaces_{};  // by begin
};

}  // namespace ridge::profile
