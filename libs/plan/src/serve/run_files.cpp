// SPDX-License-Identifier: Apache-2.0
#include <ridge/plan/serve/run_files.hpp>

#include <iterator>
#include <string>
#include <utility>

#include <fmt/format.h>

namespace ridge::plan::serve {
namespace {

constexpr std::size_t piece_bytes = 1U << 16U;

// Buffers small texts to call the sink less often.
class pieces {
 public:
  explicit pieces(const text_sink& output) : sink_(output) {}
  template <class... Arguments>
  void add(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    fmt::format_to(std::back_inserter(text_), format, std::forward<Arguments>(arguments)...);
    if (text_.size() >= piece_bytes) flush();
  }
  void flush() {
    sink_(text_);
    text_.clear();
  }

 private:
  const text_sink& sink_;
  std::string text_{};
};

std::string seconds_text(double s) { return s < never_s ? fmt::format("{:.6f}", s) : std::string(); }

std::string_view outcome_text(outcome o) {
  switch (o) {
    case outcome::finished:
      return "finished";
    case outcome::unfinished:
      return "unfinished";
    case outcome::rejected:
      return "rejected";
    case outcome::too_long:
      return "too_long";
  }
  return "?";
}

double us(double s) { return s * 1e6; }

// The kinds of work, shown as threads of a replica's process.
constexpr int steps_thread = 1;

void write_names(const cluster_run& run, pieces& out) {
  for (std::size_t i = 0; i < run.replicas.size(); ++i) {
    out.add(R"j({{"ph":"M","pid":{},"name":"process_name","args":{{"name":"replica {} ({})"}}}},)j"
            "\n",
            i, i, run.replicas[i].pool);
    out.add(R"j({{"ph":"M","pid":{},"tid":{},"name":"thread_name","args":{{"name":"stream 1 steps"}}}},)j"
            "\n",
            i, steps_thread);
  }
}

void write_steps(const cluster_run& run, pieces& out) {
  for (const auto& s : run.steps) {
    out.add(
        R"j({{"ph":"X","cat":"kernel","name":"{}","pid":{},"tid":{},"ts":{:.3f},"dur":{:.3f},"args":{{"device":{},"stream":1,"steps":{},"prefill_tokens":{},"decode_tokens":{}}}}},)j"
        "\n",
        s.prefill ? "prefill" : "decode", s.replica, steps_thread, us(s.begin_s), us(s.end_s - s.begin_s),
        s.replica, s.steps, s.prefill_tokens, s.decode_tokens);
  }
}

void write_requests(const cluster_run& run, pieces& out) {
  for (std::size_t i = 0; i < run.requests.size(); ++i) {
    const auto& r = run.requests[i];
    if (r.ended != outcome::finished) continue;
    const auto part = [&](std::string_view name, double begin_s, double end_s) {
      out.add(R"j({{"ph":"b","cat":"request","id":{},"name":"{}","pid":{},"tid":0,"ts":{:.3f}}},)j"
              "\n",
              i, name, r.replica, us(begin_s));
      out.add(R"j({{"ph":"e","cat":"request","id":{},"name":"{}","pid":{},"tid":0,"ts":{:.3f}}},)j"
              "\n",
              i, name, r.replica, us(end_s));
    };
    part("request", r.arrival_s, r.last_token_s);
    part("to the first token", r.arrival_s, r.first_token_s);
  }
}

void write_counters(const cluster_run& run, pieces& out) {
  for (const auto& p : run.timeline) {
    out.add(R"j({{"ph":"C","pid":0,"name":"requests","ts":{:.3f},"args":{{"waiting":{},"running":{}}}}},)j"
            "\n",
            us(p.t_s), p.waiting, p.running);
    out.add(R"j({{"ph":"C","pid":0,"name":"blocks in use","ts":{:.3f},"args":{{"percent":{:.3f}}}}},)j"
            "\n",
            us(p.t_s), 100 * p.kv_use);
  }
}

}  // namespace

void write_requests_csv(const cluster_run& run, const workload& asked, const text_sink& output) {
  pieces out(output);
  out.add(
      "request,session,tenant,replica,outcome,arrival_s,scheduled_s,first_token_s,last_token_s,prompt_tokens,"
      "output_tokens,ttft_ms,tpot_ms,e2e_ms,preemptions,restarts\n");
  for (std::size_t i = 0; i < run.requests.size(); ++i) {
    const auto& r = run.requests[i];
    const bool finished = r.ended == outcome::finished;
    const auto ms = [&](double s) { return finished ? fmt::format("{:.4f}", s * 1e3) : std::string(); };
    out.add("{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}\n", i, asked.requests[i].session, r.tenant,
            r.replica, outcome_text(r.ended), seconds_text(r.arrival_s), seconds_text(r.scheduled_s),
            seconds_text(r.first_token_s), seconds_text(r.last_token_s), r.prompt_tokens, r.output_tokens,
            ms(r.ttft_s()), ms(r.tpot_s()), ms(r.e2e_s()), r.preemptions, r.restarts);
  }
  out.flush();
}

void write_chrome_trace(const cluster_run& run, const text_sink& output) {
  pieces out(output);
  out.add("{{\"displayTimeUnit\":\"ms\",\"traceEvents\":[\n");
  write_names(run, out);
  write_steps(run, out);
  write_requests(run, out);
  write_counters(run, out);
  out.add(R"j({{"ph":"M","pid":0,"name":"process_sort_index","args":{{"sort_index":0}}}})j"
          "\n]}}\n");
  out.flush();
}

}  // namespace ridge::plan::serve
