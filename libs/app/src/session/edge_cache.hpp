// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <map>
#include <string>

#include <ridge/harness/edge_record.hpp>

namespace ridge::app {

// Returns the name of the file of findings for code in this object: it holds the machine and the digests of
// the object and of this program, whose kernels the code may call.
[[nodiscard]] std::string edge_file_name(const std::filesystem::path& object);

// Keeps what is known of variants at edge sizes in a file of the user's cache for each build: its name is the
// digest of the shared object or program that holds the experiment, and of the program, whose kernels it may
// call, with the machine. A file that cannot be read or written is none.
class edge_cache final : public harness::edge_record {
 public:
  // Keeps the files in this folder.
  explicit edge_cache(std::filesystem::path folder) : folder_(std::move(folder)) {}
  [[nodiscard]] std::optional<harness::edge_finding> find(const experiment& source,
                                                          const variant_facts& variant) override;
  void keep(const experiment& source, const variant_facts& variant,
            const harness::edge_finding& finding) override;

 private:
  using findings = std::map<std::string, harness::edge_finding>;  // by experiment, backend and variant
  [[nodiscard]] const std::filesystem::path& file_of(const experiment& source);
  [[nodiscard]] findings& of_file(const std::filesystem::path& file);

  std::filesystem::path folder_;
  std::map<std::string, std::filesystem::path> files_{};  // by the path of the object
  std::map<std::filesystem::path, findings> read_{};
};

}  // namespace ridge::app
