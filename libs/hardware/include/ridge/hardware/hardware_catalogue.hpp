// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <ridge/base/result.hpp>
#include <ridge/hardware/gpu.hpp>
#include <ridge/hardware/processor.hpp>

namespace ridge::hardware {

// Where figures come from.
struct source {
  std::string id{};
  std::string what{};
  std::string where{};  // an address or a document
  std::string date{};   // of the source, else when it was read: "2026-11-21"
};

struct price {
  std::string hardware{};  // the name of a GPU or processor
  double per_hour = 0;
  std::string currency{};  // "USD"
  std::string terms{};     // "on demand", "reserved, one year", a region
  std::string use{};       // what it is chosen for: "Production inference"
  std::string source{};
  std::string date{};
};

// What a driver tells of a GPU. Zero or empty: not known.
struct gpu_identity {
  std::string name{};                // "NVIDIA H200"
  std::string compute_capability{};  // "9.0"
  int multiprocessors = 0;
  double memory_bytes = 0;
};

// Everything in a catalogue; every `source` in it names one of `sources`.
struct catalogue_data {
  std::vector<hardware::source> sources{};
  std::vector<gpu> gpus{};
  std::vector<processor> processors{};
  std::vector<price> prices{};
};

// What processors and GPUs can do by specification, read from one JSON file (ridge.hardware/1,
// libs/hardware/data/hardware.json), which users can replace by one of their own.
class catalogue final {
 public:
  // The one inside the program.
  [[nodiscard]] static const catalogue& embedded();
  // A file in its place. The error names the file, the place in it (a JSON pointer, or line and column) and
  // what to do.
  [[nodiscard]] static result<catalogue> load(const std::filesystem::path& file);
  // The same of a text; `name` stands for it in errors.
  [[nodiscard]] static result<catalogue> parse(std::string_view text, std::string_view name);

  [[nodiscard]] const catalogue_data& data() const { return data_; }
  [[nodiscard]] const hardware::source* find_source(std::string_view id) const;
  // The GPU that reports this, or null: by exact name; by pattern only where cores and memory are known and
  // agree. A part of a GPU (MIG) has fewer multiprocessors and is none of these.
  [[nodiscard]] const gpu* find_gpu(const gpu_identity& reported) const;
  [[nodiscard]] const gpu* gpu_named(std::string_view name) const;  // "H200 SXM", or null
  // By numbers or by model name, of this vendor; null for one that is not in it, which then has no
  // specified limit.
  [[nodiscard]] const processor* find_processor(std::string_view vendor, std::string_view model,
                                                processor_identity identity = {}) const;
  [[nodiscard]] std::vector<price> prices_of(std::string_view hardware) const;

 private:
  explicit catalogue(catalogue_data data) : data_(std::move(data)) {}
  catalogue_data data_;
};

}  // namespace ridge::hardware
