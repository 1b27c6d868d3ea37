// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <ridge/base/result.hpp>
#include <ridge/base/temporary_folder.hpp>
#include <ridge/device/compute_capability.hpp>

namespace ridge::judge {

// How a candidate's source is compiled.
struct compile_options {
  std::string compiler{"c++"};
  std::vector<std::string> flags{};  // after those of default_flags()
  std::string gpu_architecture{};    // "sm_90a": the source is CUDA, and nvcc compiles it for such a GPU
  double time_limit_s = 60;
  std::uint64_t memory_limit = std::uint64_t{2} << 30;  // of each process of the compiler
};

// The flags that every source is compiled with: those of the program's own variants, for this machine and,
// with nvcc, for GPUs of this architecture (empty: none).
[[nodiscard]] std::vector<std::string> default_flags(const std::string& gpu_architecture = {});

// nvcc's name for the architecture of a GPU: "sm_80", "sm_90a".
[[nodiscard]] std::string architecture_of(device::compute_capability gpu);

// A shared object made from a source, in a folder of its own that is removed with this object.
class compiled_candidate final {
 public:
  compiled_candidate() = default;
  // Takes over a folder that holds the shared object.
  explicit compiled_candidate(scratch_folder folder) : folder_(std::move(folder)) {}
  // The folder, and the shared object in it, of an object that was given one.
  [[nodiscard]] const std::filesystem::path& folder() const { return folder_->path(); }
  [[nodiscard]] std::filesystem::path path() const { return folder_->path() / "candidate.so"; }

 private:
  std::optional<scratch_folder> folder_{};
};

// Compiles a C++ or CUDA source to a shared object, in a child process that has no network, may write to one
// folder alone, and is limited in time and memory. An error holds the first lines of what the compiler said,
// or why it could not run, such as that nvcc is missing. Throws io_failure where no folder can be made.
[[nodiscard]] result<compiled_candidate> compile(const std::filesystem::path& source,
                                                 const compile_options& options);

}  // namespace ridge::judge
