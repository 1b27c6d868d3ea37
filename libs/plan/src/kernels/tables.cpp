// SPDX-License-Identifier: Apache-2.0
#include <ridge/plan/kernels/tables.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <utility>

#include <fmt/format.h>

#include <ridge/base/text.hpp>

#include "measured_lookup.hpp"

namespace ridge::plan::kernels {
namespace {

namespace fs = std::filesystem;

// "H100 SXM" -> "h100_sxm"
std::string folder_of(const accelerator& gpu) {
  auto name = lower_case(gpu.name);
  std::ranges::replace(name, ' ', '_');
  return name;
}

std::string folders_in(const fs::path& below) {
  std::string names;
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(below, none))
    if (entry.is_directory()) names += (names.empty() ? "" : ", ") + entry.path().filename().string();
  return names;
}

// The tables of the engine first, then those of the others, then NCCL's.
std::vector<std::string> order_of(const std::string& engine) {
  std::vector<std::string> order{engine};
  for (const auto* other : {"vllm", "trtllm", "sglang", "nccl"})
    if (engine != other) order.emplace_back(other);
  return order;
}

class interpolated_times final : public kernel_times {
 public:
  interpolated_times(std::vector<measured_tables> tables, const accelerator& gpu,
                     std::shared_ptr<const kernel_times> otherwise)
      : gpu_(gpu), otherwise_(std::move(otherwise)) {
    for (auto& t : tables) lookups_.emplace_back(std::move(t), gpu);
  }

  kernel_time of(const product& p) const override { return shortest(p); }
  kernel_time of(const prefill_attention& a) const override { return first(a); }
  kernel_time of(const decode_attention& a) const override { return first(a); }
  kernel_time of(const latent_prefill& a) const override { return first(a); }
  kernel_time of(const latent_decode& a) const override { return first(a); }
  kernel_time of(const expert_products& e) const override { return first(e); }
  kernel_time of(const exchange& e) const override {
    return e.ranks <= 1 || e.bytes <= 0 ? kernel_time{} : shortest(e);
  }
  kernel_time elementwise(double bytes) const override { return otherwise_->elementwise(bytes); }
  std::string source() const override {
    std::string files;
    for (const auto& l : lookups_)
      for (const auto& f : l.files()) files += (files.empty() ? "" : ", ") + f;
    return gpu_.name + ": " + files;
  }
  double relative_band() const override { return 0.15; }

 private:
  // The first engine that measured such a kernel: attention and experts differ between engines.
  template <class Kernel>
  kernel_time first(const Kernel& k) const {
    for (const auto& l : lookups_)
      if (const auto found = l.find(k); found && !found->launch_bound) return split(*found);
    return shortest(k);
  }

  // The shortest of all engines: products and collectives come from libraries that all engines share, and
  // tables differ in what was timed with them (a launch from the host, quantization of the input).
  template <class Kernel>
  kernel_time shortest(const Kernel& k) const {
    std::optional<measured_time> best;
    for (const auto& l : lookups_)
      if (const auto found = l.find(k); found && (!best || found->seconds < best->seconds)) best = found;
    return best ? split(*best) : otherwise_->of(k);
  }

  // Measured seconds, divided by the bound that the roofline gives.
  static kernel_time split(const measured_time& m) {
    const double longest = std::max(m.ideal.compute_s, m.ideal.memory_s);
    if (longest <= 0) return {0, 0, m.seconds};
    return {m.seconds * m.ideal.compute_s / longest, m.seconds * m.ideal.memory_s / longest, 0};
  }

  accelerator gpu_;
  std::vector<measured_lookup> lookups_{};
  std::shared_ptr<const kernel_times> otherwise_;
};

}  // namespace

std::optional<fs::path> tables_folder(const std::string& option) {
  if (!option.empty()) return option;
  const char* data = std::getenv("RIDGE_DATA");
  if (data == nullptr || *data == '\0') return std::nullopt;
  return fs::path(data) / "serving" / "kernels";
}

result<std::shared_ptr<const kernel_times>> table_times(const table_choice& choice, const accelerator& gpu,
                                                        std::shared_ptr<const kernel_times> otherwise) {
  const auto folder = choice.folder / folder_of(gpu);
  std::error_code none;
  if (!fs::is_directory(folder, none))
    return error{fmt::format("{}: no tables of {}", choice.folder.string(), gpu.name),
                 fmt::format("there are: {}; or leave --tables out", folders_in(choice.folder))};
  std::vector<measured_tables> all;
  for (const auto& engine : order_of(choice.engine)) {
    auto t = read_tables(folder, engine);
    if (!t) return t.why();
    if (!t->files.empty()) all.push_back(std::move(*t));
  }
  return std::shared_ptr<const kernel_times>(
      std::make_shared<interpolated_times>(std::move(all), gpu, std::move(otherwise)));
}

}  // namespace ridge::plan::kernels
