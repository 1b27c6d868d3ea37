// SPDX-License-Identifier: Apache-2.0
// Requests per second that one thread simulates: engine_speed [REPEATS] [ENGINES]
#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <ctime>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <ridge/plan/serve/engine.hpp>
#include <ridge/plan/serve/workload_file.hpp>

#include "measured_data.hpp"

namespace ridge::plan::serving_programs {
namespace {

using namespace ridge::plan::serve;

// Llama-3.1-8B in bf16 on an H100 SXM by its roofline: 989 TFLOP/s and 3.35 TB/s dense (datasheet), of which
// a large product reaches 0.7 and a stream 0.8 (assumed; the speed of the simulator does not depend on them).
class roofline_timer final : public iteration_timer {
 public:
  [[nodiscard]] double seconds(const iteration& i) const override {
    const auto compute_s = flop_s * static_cast<double>(i.tokens()) + pair_s * i.prefill_pairs;
    return std::max(weights_s, compute_s) +
           context_s * static_cast<double>(i.decode_context + i.prefill_context) + host_s;
  }
  [[nodiscard]] decode_line decode(std::int64_t sequences, std::int64_t) const override {
    return {std::max(weights_s, flop_s * static_cast<double>(sequences)) + host_s, context_s, 1LL << 60};
  }

 private:
  static constexpr double flop_s = 2 * 7.5e9 / (0.7 * 989e12);
  static constexpr double pair_s = 4.0 * 32 * 4096 / (0.5 * 989e12);
  static constexpr double weights_s = 2 * 7.5e9 / (0.8 * 3.35e12);
  static constexpr double context_s = 131072 / (0.8 * 3.35e12);
  static constexpr double host_s = 0.0005;
};

// CPU time of this thread, so that other processes do not count.
double processor_s() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

struct outcome {
  double wall_s = 0, cpu_s = 0, simulated_s = 0;
  std::uint64_t finished = 0, preemptions = 0, steps = 0, lookups = 0, hits = 0, tokens = 0;
};

class service {
 public:
  service(std::size_t engines, const engine_settings& s, const iteration_timer& timer,
          const request_table& requests)
      : next_s_(engines, engine::never_s), load_(engines), requests_(&requests) {
    engines_.reserve(engines);
    for (std::size_t e = 0; e < engines; ++e) {
      engines_.emplace_back(s, timer, requests);
    }
  }

  // Sends every request to the engine with the fewest requests, in order of arrival.
  outcome run() {
    const auto from = std::chrono::steady_clock::now();
    const auto cpu_from_s = processor_s();
    for (request_id r = 0; r < requests_->size(); ++r) {
      const auto now_s = requests_->arrival_s(r);
      for (std::size_t e = 0; e < engines_.size(); ++e) {
        if (next_s_[e] <= now_s) {
          move(e, now_s);
        }
      }
      const auto to = static_cast<std::size_t>(std::ranges::min_element(load_) - load_.begin());
      engines_[to].submit(r, now_s);
      ++load_[to];
      next_s_[to] = std::min(next_s_[to], now_s);  // the step that takes it starts after this time
    }
    for (std::size_t e = 0; e < engines_.size(); ++e) {
      move(e, engine::never_s);
    }
    outcome all;
    all.wall_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - from).count();
    all.cpu_s = processor_s() - cpu_from_s;
    for (const auto& e : engines_) {
      add(all, e.counts());
    }
    all.simulated_s = last_s_;
    return all;
  }

 private:
  void move(std::size_t e, double until_s) {
    auto& engine = engines_[e];
    engine.advance(until_s);
    for (const auto& event : engine.events()) {
      if (event.kind == engine_event_kind::finished || event.kind == engine_event_kind::rejected) {
        --load_[e];
        last_s_ = std::max(last_s_, event.at_s);
      }
    }
    engine.clear_events();
    next_s_[e] = until_s == engine::never_s ? until_s : engine.next_s();
  }
  static void add(outcome& total, const engine_counts& c) {
    total.finished += c.finished;
    total.preemptions += c.preemptions;
    total.steps += c.steps;
    total.lookups += c.prompt_lookups;
    total.hits += c.prompt_hits;
    total.tokens += c.prefill_tokens + c.decode_tokens;
  }

  std::vector<engine> engines_{};
  std::vector<double> next_s_;
  std::vector<std::uint32_t> load_;
  const request_table* requests_;
  double last_s_ = 0;
};

void print(const std::string& label, const outcome& o) {
  fmt::print(
      "{:<40} {:>8} finished  wall {:>6.3f} s {:>8.0f}/s  processor {:>6.3f} s {:>8.0f}/s  {:>5.1f} M "
      "steps/s {:>4} preempted",
      label, o.finished, o.wall_s, static_cast<double>(o.finished) / o.wall_s, o.cpu_s,
      static_cast<double>(o.finished) / o.cpu_s, static_cast<double>(o.steps) / o.cpu_s / 1e6, o.preemptions);
  if (o.hits > 0) {
    fmt::print("  hits {:.2f} % of tokens",
               100 * static_cast<double>(o.hits) / static_cast<double>(o.lookups));
  }
  fmt::print("\n");
}

void measure(const std::string& label, const request_table& table, std::size_t engines,
             const engine_settings& s) {
  const roofline_timer timer;
  service of{engines, s, timer, table};
  print(label, of.run());
}

result<workload> read(const std::string& name) {
  const auto file = measured_data(name);
  if (file.empty())
    return error{name + " is in neither tests/data nor RIDGE_DATA", "set RIDGE_DATA and RIDGE_SOURCE_DIR"};
  return read_workload(file);
}

int run(int repeats, std::size_t engines) {
  auto conversation = read("serving/azure2023/AzureLLMInferenceTrace_conv.csv");
  const auto blocks = read("serving/mooncake/conversation_trace.jsonl");
  if (!conversation || !blocks) {
    fmt::print(stderr, "engine_speed: {}\n", (conversation ? blocks : conversation).why().text());
    return 1;
  }
  repeat(*conversation, repeats);
  const auto azure = table_of(*conversation), mooncake = table_of(*blocks);
  engine_settings plain{
      .max_batched_tokens = 8192, .max_sequences = 256, .blocks = 27000, .prefix_caching = false};
  measure(fmt::format("Azure conversation x{}, {} engines", repeats, engines), azure, engines, plain);
  plain.prefix_caching = true;
  measure("  with prefix caching", azure, engines, plain);
  plain.async_scheduling = true;
  measure("  and asynchronous scheduling", azure, engines, plain);

  fmt::print("Mooncake conversation, cache without bounds: {:.2f} % of tokens\n",
             100 * count_sharing(mooncake).share());
  engine_settings cached{
      .max_batched_tokens = 8192, .max_sequences = 1024, .block_size = 512, .blocks = 100'000'000};
  measure("Mooncake, one engine, blocks of 512", mooncake, 1, cached);
  cached.blocks = 4096;
  measure("  4096 blocks (2 M tokens)", mooncake, 1, cached);
  cached.block_size = 16;
  cached.blocks = 100'000'000;
  measure("  blocks of 16, without bounds", mooncake, 1, cached);
  return 0;
}

}  // namespace
}  // namespace ridge::plan::serving_programs

int main(int argc, char** argv) {
  const auto repeats = argc > 1 ? std::atoi(argv[1]) : 52;
  const auto engines = argc > 2 ? std::atoi(argv[2]) : 8;
  return ridge::plan::serving_programs::run(std::max(1, repeats),
                                            static_cast<std::size_t>(std::max(1, engines)));
}
