// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include <fmt/format.h>

#include <ridge/base/error.hpp>
#include <ridge/cpu/sgemm.hpp>
#include <ridge/host/isa.hpp>
#include <ridge/host/pages.hpp>
#include <ridge/host/team.hpp>
#include <ridge/host/topology.hpp>
#include <ridge/probe/kernel_timer.hpp>
#include <ridge/stats/quantile.hpp>
#include <ridge/vendor/openblas.hpp>

#include "serving/host_kernels.hpp"

namespace ridge::backends::probe_host {
namespace {

using std::chrono::steady_clock;

constexpr std::size_t line_floats = 16;
std::size_t aligned_floats(std::size_t floats) {
  return (floats + line_floats - 1) / line_floats * line_floats;
}
std::size_t size_of(const model::kernel_call& call, const char* name) {
  return static_cast<std::size_t>(call.size(name));
}

// Memory that the operands of calls take in turn, so that none finds its own in a cache; all are 0, which
// takes a CPU as long as other numbers.
class cold_sets {
 public:
  // Divides the memory into sets of so many floats: as many as twice the last cache holds, at most 4,096 and
  // at least one, for which the memory grows where it must.
  void divide(std::size_t floats, std::size_t cache_bytes) {
    constexpr std::size_t least = std::size_t{64} << 20, most = std::size_t{512} << 20;
    const auto room = std::clamp(2 * cache_bytes, least, most) / sizeof(float);
    floats_ = std::max<std::size_t>(aligned_floats(floats), line_floats);
    sets_ = std::clamp<std::size_t>(room / floats_, 1, 4096);
    taken_ = 0;
    const auto bytes = sets_ * floats_ * sizeof(float);
    if (memory_.bytes().size() < bytes)
      memory_ = host::region(std::max(bytes, room * sizeof(float)), 64, host::huge_pages::transparent);
  }
  float* next() { return memory_.as<float>().data() + (taken_++ % sets_) * floats_; }

 private:
  std::size_t floats_ = 0, sets_ = 1, taken_ = 0;
  host::region memory_{};
};

// The median of calls: as many as take a fifth of a second, at least five and at most 51, the first not
// counted. A call shorter than 20 us is repeated within one reading.
probe::kernel_timing timed_call(const std::function<void()>& call) {
  constexpr double enough_s = 0.2, reading_s = 20e-6;
  constexpr std::size_t least = 5, most = 51;
  const auto seconds_of = [&](int calls) {
    const auto begin = steady_clock::now();
    for (int i = 0; i < calls; ++i) call();
    return std::chrono::duration<double>(steady_clock::now() - begin).count() / calls;
  };
  (void)seconds_of(1);
  const double first = std::max(seconds_of(1), 1e-8);
  const int calls = std::clamp(static_cast<int>(reading_s / first) + 1, 1, 1000);
  std::vector<double> all;
  double sum = 0;
  while (all.size() < least || (all.size() < most && sum < enough_s))
    all.push_back(seconds_of(calls)), sum += all.back() * calls;
  std::ranges::sort(all);
  const double median = stats::sorted_quantile(all, 0.5);
  const double half = stats::sorted_quantile(all, 0.75) - stats::sorted_quantile(all, 0.25);
  return {.seconds = median, .spread = half / median, .samples = static_cast<int>(all.size())};
}

// The sizes of a product and its operands within a set: inputs, weights [k][n], outputs.
struct host_product {
  std::size_t m, n, k;
  [[nodiscard]] std::size_t weights_at() const { return aligned_floats(m * k); }
  [[nodiscard]] std::size_t outputs_at() const { return weights_at() + aligned_floats(k * n); }
  [[nodiscard]] std::size_t floats() const { return outputs_at() + aligned_floats(m * n); }
};

int as_int(std::size_t x) { return static_cast<int>(x); }
std::int64_t as_integer(std::size_t x) { return static_cast<std::int64_t>(x); }

// OpenBLAS runs on the threads of the team, a range of outputs each: its own threads would stand on one CPU.
void openblas_product(host::team& team, const host_product& p, float* set) {
  team.parallel_for(p.n, [&](std::size_t begin, std::size_t end) {
    cblas_sgemm(vendor::cblas_row_major, vendor::cblas_no_trans, vendor::cblas_no_trans, as_int(p.m),
                as_int(end - begin), as_int(p.k), 1, set, as_int(p.k), set + p.weights_at() + begin,
                as_int(p.n), 0, set + p.outputs_at() + begin, as_int(p.n));
  });
}

void packed_product(host::team& team, const host_product& p, float* set, std::span<float> workspace) {
  const auto m = as_integer(p.m), n = as_integer(p.n), k = as_integer(p.k);
  cpu::sgemm(team, m, n, k, set, k, set + p.weights_at(), n, set + p.outputs_at(), n, workspace);
}

class host_timer final : public probe::kernel_timer {
 public:
  host_timer() {
    const auto here = host::read_topology();
    if (here.cpu.model.empty()) throw unavailable("the name of the CPU", "the kernel does not tell it");
    machine_.name = here.cpu.model;
    machine_.runtime = host::widest_vector_isa();
    machine_.is_gpu = false;
    machine_.memory_bytes = static_cast<double>(here.usable_memory_bytes());
    cache_bytes_ = here.last_level_cache_bytes();
  }
  const probe::timed_machine& machine() const override { return machine_; }

  result<probe::kernel_timing> time(const model::kernel_call& call) override {
    try {
      if (!team_) team_.emplace(host::team::of_cores());
      if (call.kernel == "product" && call.format == "fp32") return product(call);
      if (call.kernel == "decode_attention" && call.format == "fp32") return decode(call);
      if (call.kernel == "elementwise") return elementwise(call);
      throw unavailable(call.kernel + " of " + call.format, "this build does not measure it on a CPU");
    } catch (const failure& why) {
      return why.why();
    }
  }

 private:
  [[nodiscard]] std::string by(std::string_view kernel) const {
    return fmt::format("{}, {} threads", kernel, team_->size());
  }
  // The faster of Ridge's packed product and OpenBLAS, where that is.
  probe::kernel_timing product(const model::kernel_call& call) {
    const host_product p{size_of(call, "m"), size_of(call, "n"), size_of(call, "k")};
    sets_.divide(p.floats(), cache_bytes_);
    std::vector<float> workspace(
        cpu::sgemm_workspace(as_integer(p.m), as_integer(p.n), as_integer(p.k), team_->size()));
    auto best = timed_call([&] { packed_product(*team_, p, sets_.next(), workspace); });
    best.implementation = by("Ridge's packed product");
    if (const auto blas = vendor::find_openblas()) {
      auto other = timed_call([&] { openblas_product(*team_, p, sets_.next()); });
      other.implementation = by(*blas);
      if (other.seconds < best.seconds) return other;
    }
    return best;
  }
  probe::kernel_timing decode(const model::kernel_call& call) {
    decode_on_host c{size_of(call, "heads"), size_of(call, "kv_heads"), size_of(call, "head_dim"),
                     size_of(call, "sequences"), size_of(call, "context")};
    const auto queries = aligned_floats(c.query_floats()), keys = aligned_floats(c.key_floats());
    sets_.divide(2 * queries + 2 * keys, cache_bytes_);
    auto found = timed_call([&] {
      auto* set = sets_.next();
      c.queries = set, c.outputs = set + queries, c.keys = set + 2 * queries, c.values = c.keys + keys;
      compute(*team_, c);
    });
    found.implementation = by("Ridge's loop");
    return found;
  }
  probe::kernel_timing elementwise(const model::kernel_call& call) {
    const auto half = aligned_floats(size_of(call, "bytes") / 2 / sizeof(float));
    sets_.divide(2 * half, cache_bytes_);
    auto found = timed_call([&] {
      auto* set = sets_.next();
      twice(*team_, set, set + half, half);
    });
    found.implementation = by("Ridge's loop");
    return found;
  }

  probe::timed_machine machine_{};
  std::size_t cache_bytes_ = 0;
  cold_sets sets_{};
  std::optional<host::team> team_{};
};

}  // namespace

// Times kernels of serving steps on all cores of this process, in fp32. The calling thread is pinned from the
// first call on until the timer ends. Throws unavailable where the CPU has no name.
std::unique_ptr<probe::kernel_timer> make_kernel_timer() { return std::make_unique<host_timer>(); }

}  // namespace ridge::backends::probe_host
