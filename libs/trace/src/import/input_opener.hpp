// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include <ridge/base/result.hpp>
#include <ridge/trace/byte_source.hpp>

namespace ridge::trace {

class tar_walk;

// Opens members one after the other. In a tar it continues where it is, so that all members in their order
// cost one pass; the directory of a zip is read once; a source must be destroyed before the next one is
// opened. Large members are unpacked on a second thread.
class input_opener {
 public:
  explicit input_opener(const read_limits& limits);
  ~input_opener();
  input_opener(const input_opener&) = delete;
  input_opener& operator=(const input_opener&) = delete;

  // Opens a member, decompressed. Throws failure and io_failure as sources do.
  [[nodiscard]] result<std::unique_ptr<byte_source>> open(const input_member& member);

 private:
  [[nodiscard]] result<std::unique_ptr<byte_source>> packed(const input_member& member);
  class zip_index;
  [[nodiscard]] result<std::unique_ptr<byte_source>> in_zip(const input_member& member);
  [[nodiscard]] std::unique_ptr<byte_source> in_tar(const input_member& member);
  [[nodiscard]] std::unique_ptr<byte_source> walk_to(const std::string& name);

  read_limits limits_;
  std::string path_{};
  std::shared_ptr<tar_walk> walk_{};
  std::string zip_path_{};
  std::unique_ptr<zip_index> zip_{};
};

}  // namespace ridge::trace
