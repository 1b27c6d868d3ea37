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

// The source of figures.
struct source {
  std::string id{};
  std::string title{};
  std::string location{};  // an address or a document
  std::string date{};      // date of the source, else of reading it: "2026-11-21"
};

// The price of one hour.
struct price {
  std::string hardware{};  // the name of a GPU or processor
  double per_hour = 0;
  std::string currency{};  // "USD"
  std::string terms{};     // "on demand", "reserved, one year", a region
  std::string use{};       // typical use: "Production inference"
  std::string source{};
  std::string date{};
};

// The properties of a GPU that its driver reports. Zero or empty: not known.
struct gpu_identity {
  std::string name{};                // "NVIDIA H200"
  std::string compute_capability{};  // "9.0"
  int multiprocessors = 0;
  double memory_bytes = 0;
};

// The contents of a catalogue; every `source` member is an id of `sources`.
struct catalogue_data {
  std::vector<hardware::source> sources{};
  std::vector<gpu> gpus{};
  std::vector<processor> processors{};
  std::vector<price> prices{};
};

// Specifications of processors and GPUs, read from one JSON file (ridge.hardware/1,
// libs/hardware/data/hardware.json), which users can replace by their own.
class catalogue final {
 public:
  // The catalogue in the program.
  [[nodiscard]] static const catalogue& embedded();
  // Reads a catalogue from a file. The error names the file, the place in it (a JSON pointer, or line and
  // column) and what to do.
  [[nodiscard]] static result<catalogue> load(const std::filesystem::path& file);
  // Reads a catalogue from text; errors call it `name`.
  [[nodiscard]] static result<catalogue> parse(std::string_view text, std::string_view name);

  // All entries of the catalogue.
  [[nodiscard]] const catalogue_data& data() const { return data_; }
  // The source with this id; null when there is none. Points into the catalogue.
  [[nodiscard]] const hardware::source* find_source(std::string_view id) const;
  // The GPU with these properties, or null: by exact name, or by pattern when cores and memory are known and
  // agree. A partition of a GPU (MIG) has fewer multiprocessors and matches none.
  [[nodiscard]] const gpu* find_gpu(const gpu_identity& reported) const;
  // The GPU of this exact name ("H200 SXM"), or null.
  [[nodiscard]] const gpu* gpu_named(std::string_view name) const;
  // The processor of this vendor by its CPUID numbers or model name; null for one that is not in the
  // catalogue and has no specified limits.
  [[nodiscard]] const processor* find_processor(std::string_view vendor, std::string_view model,
                                                processor_identity identity = {}) const;
  // All prices of a GPU or processor.
  [[nodiscard]] std::vector<price> prices_of(std::string_view hardware) const;

 private:
  explicit catalogue(catalogue_data data) : data_(std::move(data)) {}
  catalogue_data data_;
};

}  // namespace ridge::hardware
