// SPDX-License-Identifier: Apache-2.0
#include <ridge/plan/serve/workload_generator.hpp>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <ridge/plan/serve/counted_random.hpp>

namespace ridge::plan::serve {
namespace {

// The purposes of the random numbers of one request.
enum purpose : std::uint64_t { gap = 1, prompt, output, turn, pause, tenant, block, shared_block };

double gap_of(const generator_settings& s, std::uint64_t i) {
  switch (s.process) {
    case arrival_process::constant:
      return 1 / s.rate;
    case arrival_process::poisson:
      return random_exponential(s.seed, i, gap) / s.rate;
    case arrival_process::gamma:
      return random_gamma(s.burstiness, s.seed, i, gap) / s.rate;
    case arrival_process::weibull:
      return random_weibull(s.burstiness, s.seed, i, gap) / s.rate;
  }
  return 0;
}

std::uint32_t length_of(const length_distribution& d, const generator_settings& s, std::uint64_t i,
                        purpose draw) {
  using shape = length_distribution::shape;
  // A row of a trace has one prompt and one answer: both are drawn by one number.
  const auto u = random_uniform(s.seed, i, d.kind == shape::trace ? prompt : draw);
  const auto z = d.kind == shape::lognormal ? random_normal(s.seed, i, draw) : 0;
  return d.at(u, z);
}

class writer {
 public:
  explicit writer(const generator_settings& s) : s_(s) {
    const bool shares = s.sessions.turns > 1 || s.sessions.shared_tokens > 0;
    made_.hash_tokens = shares ? s.hash_tokens : 0;
    made_.clients = s.clients;
    made_.think_s = s.think_s;
    made_.requests.reserve(static_cast<std::size_t>(s.requests));
    for (std::uint32_t t = 0; s.tenants > 1 && t < s.tenants; ++t)
      made_.tenants.push_back(fmt::format("tenant {}", t + 1));
  }

  void add_session(double arrival_s) {
    ++session_;
    std::uint32_t context = s_.sessions.shared_tokens, follows = no_request;
    for (std::uint64_t t = 0; !full(); ++t) {
      const auto i = static_cast<std::uint64_t>(made_.requests.size());
      workload_request r{.arrival_s = arrival_s, .follows = follows, .session = named_session()};
      if (t > 0) r.arrival_s = s_.sessions.pause_s * random_exponential(s_.seed, i, pause);
      r.prompt_tokens = context + length_of(s_.prompt, s_, i, prompt);
      r.output_tokens = length_of(s_.output, s_, i, output);
      r.tenant = static_cast<std::uint16_t>(random_bits(s_.seed, session_, tenant) % s_.tenants);
      context = r.prompt_tokens + r.output_tokens;
      name_blocks(r, context);
      follows = static_cast<std::uint32_t>(i);
      made_.requests.push_back(r);
      if (!goes_on(t)) break;
    }
  }

  [[nodiscard]] bool full() const { return static_cast<std::int64_t>(made_.requests.size()) >= s_.requests; }
  workload take() { return std::move(made_); }

 private:
  [[nodiscard]] std::uint32_t named_session() const {
    return s_.sessions.turns > 1 ? static_cast<std::uint32_t>(session_) : 0;
  }
  // Geometric distribution: each turn is the last with the same probability.
  [[nodiscard]] bool goes_on(std::uint64_t t) const {
    if (s_.sessions.turns <= 1) return false;
    return random_uniform(s_.seed, (session_ << 16U) + t, turn) > 1 / s_.sessions.turns;
  }
  void name_blocks(workload_request& r, std::uint32_t tokens) {
    if (made_.hash_tokens == 0) return;
    r.first_hash = static_cast<std::uint32_t>(made_.hashes.size());
    r.hashes = tokens / made_.hash_tokens;
    const auto shared = s_.sessions.shared_tokens / made_.hash_tokens;
    for (std::uint32_t b = 0; b < r.hashes; ++b)
      made_.hashes.push_back(b < shared ? random_bits(s_.seed, b, shared_block)
                                        : random_bits(random_bits(s_.seed, session_, block), b, block));
  }

  const generator_settings& s_;
  workload made_{};
  std::uint64_t session_ = 0;
};

result<void> check(const generator_settings& s) {
  const auto refuse = [](std::string_view name, double value, std::string_view remedy) {
    return error{fmt::format("{} {} cannot be", name, value), std::string(remedy)};
  };
  if (s.requests < 1 || s.requests >= no_request)
    return refuse("requests", static_cast<double>(s.requests), "ask for 1 to 4 294 967 294");
  if (s.clients == 0 && !(s.rate > 0 && std::isfinite(s.rate)))
    return refuse("rate", s.rate, "give requests per second above 0");
  if (!(s.burstiness > 0)) return refuse("burstiness", s.burstiness, "give a shape above 0; 1 is Poisson");
  if (!(s.sessions.turns >= 1)) return refuse("turns", s.sessions.turns, "give a mean of 1 or more");
  if (s.sessions.pause_s < 0 || s.think_s < 0)
    return refuse("pause", std::min(s.sessions.pause_s, s.think_s), "give seconds from 0 on");
  if (s.tenants < 1 || s.tenants > 65535) return refuse("tenants", s.tenants, "give 1 to 65535");
  return {};
}

std::string source_of(const generator_settings& s) {
  if (s.clients > 0) return fmt::format("{} clients, closed loop", s.clients);
  const auto kind = s.process == arrival_process::constant  ? std::string("constant")
                    : s.process == arrival_process::poisson ? std::string("Poisson")
                    : s.process == arrival_process::gamma ? fmt::format("gamma (burstiness {})", s.burstiness)
                                                          : fmt::format("Weibull (shape {})", s.burstiness);
  return fmt::format("{}, {} {} per second", kind, s.rate, s.sessions.turns > 1 ? "sessions" : "requests");
}

}  // namespace

result<workload> generate_workload(const generator_settings& settings) {
  if (const auto good = check(settings); !good) return good.why();
  writer to(settings);
  double t = 0;
  for (std::uint64_t i = 0; !to.full(); ++i) {
    to.add_session(t);
    if (settings.clients == 0) t += gap_of(settings, i);
  }
  auto made = to.take();
  made.source = source_of(settings);
  return made;
}

}  // namespace ridge::plan::serve
