// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <span>
#include <thread>
#include <vector>

#include <ridge/cpu/sgemm.hpp>
#include <ridge/cpu/sgemm_batched.hpp>
#include <ridge/host/affinity.hpp>
#include <ridge/host/team.hpp>
#include <ridge/vendor/onednn.hpp>
#include <ridge/vendor/openblas.hpp>

#include "batched_gemm.hpp"

namespace ridge::experiments::ch01_batched_gemm {
namespace {

// Rows [begin, end) of one product of the batch.
struct rows {
  std::int64_t product = 0, begin = 0, end = 0;
};

void multiply_rows(const workload& w, rows share, std::span<float> scratch) {
  const auto first = share.product * w.n * w.n, skipped = first + share.begin * w.n;
  cpu::sgemm(share.end - share.begin, w.n, w.n, w.a.data() + skipped, w.n, w.b.data() + first, w.n,
             w.c.data() + skipped, w.n, scratch);
}

auto spawn_per_call(const workload& shape, setup& s) {
  const auto each = cpu::sgemm_workspace(shape.n, shape.n, shape.n);
  const auto scratch = s.workspace<float>(each * as_count(s.threads()));
  return [each, scratch](workload& w, call& c) {
    const auto& cpus = c.team().cpus();
    const std::int64_t threads = c.threads();
    for (std::int64_t i = 0; i < w.count; ++i) {
      std::vector<std::jthread> spawned;
      for (std::int64_t t = 0; t < threads; ++t) {
        const auto rank = as_count(t);
        spawned.emplace_back([&, i, t, rank] {
          // A new thread inherits the one CPU of its maker.
          host::set_affinity(std::array{cpus[rank]});
          multiply_rows(w, {i, w.n * t / threads, w.n * (t + 1) / threads},
                        scratch.subspan(each * rank, each));
        });
      }
    }
  };
}

auto region_per_call(const workload& shape, setup& s) {
  const auto scratch = s.workspace<float>(cpu::sgemm_workspace(shape.n, shape.n, shape.n, s.threads()));
  return [scratch](workload& w, call& c) {
    for (std::int64_t i = 0; i < w.count; ++i) {
      const auto first = i * w.n * w.n;
      cpu::sgemm(c.team(), w.n, w.n, w.n, w.a.data() + first, w.n, w.b.data() + first, w.n,
                 w.c.data() + first, w.n, scratch);
    }
  };
}

cpu::sgemm_batch batch_of(const workload& w) {
  return {w.count, w.n, w.n, w.n, w.a.data(), w.b.data(), w.c.data()};
}

auto one_thread(const workload& shape, setup& s) {
  const auto scratch = s.workspace<float>(cpu::sgemm_batched_workspace(shape.n, shape.n, shape.n));
  return [scratch](workload& w, call&) { cpu::sgemm_batched(batch_of(w), scratch); };
}

auto one_region(const workload& shape, setup& s) {
  const auto scratch =
      s.workspace<float>(cpu::sgemm_batched_workspace(shape.n, shape.n, shape.n, s.threads()));
  return [scratch](workload& w, call& c) { cpu::sgemm_batched(c.team(), batch_of(w), scratch); };
}

// Computes the batch in one region; multiply(a, b, c, n) is a vendor's product on one thread.
template <class Multiply>
void in_one_region(workload& w, call& c, Multiply multiply) {
  c.team().run([&](int rank, int ranks) {
    for (auto i = w.count * rank / ranks; i < w.count * (rank + 1) / ranks; ++i) {
      const auto first = i * w.n * w.n;
      multiply(w.a.data() + first, w.b.data() + first, w.c.data() + first, w.n);
    }
  });
}

void with_openblas(workload& w, call& c) {
  in_one_region(w, c, [](const float* a, const float* b, float* product, std::int64_t size) {
    const auto n = as_int(as_count(size));
    cblas_sgemm(vendor::cblas_row_major, vendor::cblas_no_trans, vendor::cblas_no_trans, n, n, n, 1, a, n, b,
                n, 0, product, n);
  });
}

void with_onednn(workload& w, call& c) {
  in_one_region(w, c, [](const float* a, const float* b, float* product, std::int64_t n) {
    dnnl_sgemm('N', 'N', n, n, n, 1, a, n, b, n, 0, product, n);
  });
}

}  // namespace

// Why gains over a baseline that starts its threads for every product exceed ten times.
constexpr auto spawning_dominates =
    "starting and ending threads takes most of the baseline's time, and a product takes microseconds";

ladder<workload> cpu() {
  return {
      {.name = "spawn_per_call",
       .is = role::baseline,
       .idea = "each product starts and ends its threads",
       .run = spawn_per_call,
       .threads = all_cores},
      {.name = "region_per_call",
       .idea = "threads that stay; two barriers per product",
       .run = region_per_call,
       .explanation = spawning_dominates,
       .threads = all_cores},
      {.name = "one_thread",
       .idea = "one thread, no barriers",
       .run = one_thread,
       .explanation = spawning_dominates},
      {.name = "one_region",
       .idea = "one region over the batch: each product whole on one core",
       .run = one_region,
       .explanation = spawning_dominates,
       .threads = all_cores},
      {.name = "openblas",
       .is = role::comparator,
       .idea = "cblas_sgemm in one region",
       .run = with_openblas,
       .needs = {.library = "openblas"},
       .threads = all_cores},
      {.name = "onednn",
       .is = role::comparator,
       .idea = "dnnl_sgemm in one region",
       .run = with_onednn,
       .needs = {.library = "onednn"},
       .threads = all_cores},
  };
}

}  // namespace ridge::experiments::ch01_batched_gemm
