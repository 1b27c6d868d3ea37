// SPDX-License-Identifier: Apache-2.0
#include "generator/trace_text.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

#include <fmt/format.h>

namespace ridge::trace::generator {
namespace {

constexpr std::uint64_t zero_ns = 4'026'150'068'000'000;
constexpr int process = 425, device = 2;
constexpr std::uint64_t frame_step_ns = 1600, op_step_ns = 50'000, call_step_ns = 100'000,
                        kernel_step_ns = 40'000;

std::string distributed_text(const rank_of_job& job) {
  return fmt::format(
      "\"host_name\": \"node{:04}\",\n  \"distributedInfo\": {{\"backend\": \"nccl\", \"rank\": {}, "
      "\"world_size\": {}}},\n  ",
      job.rank / job.ranks_per_node, job.rank, job.ranks);
}

std::string us(std::uint64_t ns) { return fmt::format("{}.{:03}", ns / 1000, ns % 1000); }

}  // namespace

const std::string& trace_text::drawn(const std::vector<std::string>& names, int skew) {
  const auto u = std::generate_canonical<double, 53>(random_);
  return names[static_cast<std::size_t>(std::pow(u, skew) * static_cast<double>(names.size()))];
}

void trace_text::write(const sink& output) {
  sink_ = output;
  const auto ops = events_ * 28 / 1000, calls = events_ * 13 / 1000, kernels = events_ * 34 / 1000;
  const auto flows = calls * 54 / 100 + kernels;
  write_head();
  write_ops(ops);
  write_frames(events_ - ops - calls - kernels - flows);
  write_calls(calls);
  write_kernels(kernels);
  if (job_) {
    write_steps();
    write_reduces();
  }
  write_tail();
  flush(0);
}

void trace_text::flush(std::size_t above) {
  if (text_.size() <= above) return;
  sink_(text_);
  text_.clear();
}

void trace_text::begin(std::string_view category, std::string_view name, int process, int thread,
                       std::uint64_t start_ns, std::uint64_t duration_ns) {
  fmt::format_to(std::back_inserter(text_),
                 "  {{\n    \"ph\": \"X\", \"cat\": \"{}\", \"name\": \"{}\", \"pid\": {}, \"tid\": {},\n"
                 "    \"ts\": {}, \"dur\": {},\n    \"args\": {{\n      ",
                 category, name, process, thread, us(start_ns), us(duration_ns));
  flush(std::size_t{1} << 20);
}

void trace_text::flow(char phase, std::uint64_t id, int process, int thread, std::uint64_t start_ns) {
  fmt::format_to(std::back_inserter(text_),
                 "  {{\n    \"ph\": \"{}\", \"id\": {}, \"pid\": {}, \"tid\": {}, \"ts\": {},\n"
                 "    \"cat\": \"ac2g\", \"name\": \"ac2g\"{}\n  }},\n",
                 phase, id, process, thread, us(start_ns), phase == 'f' ? ", \"bp\": \"e\"" : "");
}

void trace_text::write_head() {
  fmt::format_to(
      std::back_inserter(text_),
      "\n  {{\n    \"schemaVersion\": 1,\n    \"deviceProperties\": [\n    {{\n      \"id\": {}, \"name\": "
      "\"invented\", \"totalGlobalMem\": 206141652992,\n      \"warpSize\": 64, \"numSms\": 304\n    }}\n    "
      "],\n  {}\"displayTimeUnit\": \"ms\",\n  \"baseTimeNanoseconds\": 1782967788000000000,\n  "
      "\"traceEvents\": [\n",
      device, job_ ? distributed_text(*job_) : "");
}

// Steps of equal length, on the thread of the operators.
void trace_text::write_steps() {
  const auto length = events_ * frame_step_ns / job_->steps;
  for (std::uint64_t i = 0; i < job_->steps; ++i) {
    begin("user_annotation", fmt::format("ProfilerStep#{}", i), process, process, zero_ns + i * length,
          length - 1000);
    text_ += "\"External id\": 0\n    }\n  },\n";
  }
}

// All-reduces of all ranks on a stream of their own: a rank that comes early waits until the last one is
// there.
void trace_text::write_reduces() {
  const auto& job = *job_;
  const auto count = events_ * job.reduces_per_1000 / 1000;
  const auto period = events_ * frame_step_ns / (count + 1);
  const auto rank = static_cast<std::uint64_t>(job.rank);
  for (std::uint64_t i = 0; i < count; ++i) {
    const auto zero = zero_ns + i * period, last = zero + 20'000 + job.late_ns;
    const auto came = job.rank == job.late_rank ? last : zero + (rank * 7919 + i * 104'729) % 20'000;
    begin("kernel", "ncclDevKernel_AllReduce_Sum_bf16_RING_LL", device, 1, came,
          last + job.transfer_ns - came);
    fmt::format_to(
        std::back_inserter(text_),
        "\"device\": {}, \"stream\": 1, \"correlation\": {}, \"Collective name\": \"allreduce\", "
        "\"In msg nelems\": 4194304, \"Out msg nelems\": 4194304, \"Group size\": {}, \"dtype\": "
        "\"BFloat16\", \"Process Group Name\": \"0\", \"Seq\": {}, \"grid\": [24, 1, 1], \"block\": [512, 1, "
        "1]\n    }}\n  }},\n",
        device, 900'000'000 + i, job.ranks, i + 1);
  }
}

void trace_text::write_ops(std::uint64_t count) {
  for (std::uint64_t i = 0; i < count; ++i) {
    begin("cpu_op", drawn(ops_, 2), process, process, zero_ns + i * op_step_ns, 1000 + random_below(40'000));
    const std::uint64_t rows = 1 + random_below(40), columns = std::uint64_t{64} << random_below(6);
    fmt::format_to(std::back_inserter(text_),
                   "\"External id\": {},\"Record function id\": 0, \"Concrete Inputs\": [\"\", \"[{}, -1]\", "
                   "\"False\"], "
                   "\"Input type\": [\"c10::BFloat16\", \"ScalarList\", \"Scalar\"], \"Input Strides\": "
                   "[[{}, 1], [], []], "
                   "\"Input Dims\": [[{}, {}], [], []], \"Ev Idx\": {}\n    }}\n  }},\n",
                   8193 + i, rows, columns, rows, columns, index_++);
  }
}

// Frames within frames: each takes a part of what is left of the innermost one that is open.
void trace_text::write_frames(std::uint64_t count) {
  const auto end_ns = zero_ns + (count + 1) * frame_step_ns;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> open{{end_ns, 0}};
  for (std::uint64_t i = 1; i <= count; ++i) {
    const auto start = zero_ns + i * frame_step_ns;
    while (open.size() > 1 && open.back().first <= start) open.pop_back();
    const auto left = open.back().first - start;
    const auto wanted =
        frame_step_ns / 2 + random_below(frame_step_ns << random_below(open.size() < 50 ? 7 : 1));
    const auto length = std::min(left, wanted);
    begin("python_function", drawn(frames_, 8), process, process, start, length);
    fmt::format_to(std::back_inserter(text_),
                   "\"Python parent id\": {}, \"Python id\": {}, \"Ev Idx\": {}\n    }}\n  }},\n",
                   open.back().second == 0 ? "null" : fmt::format("{}", open.back().second), i, index_++);
    open.emplace_back(start + length, i);
  }
}

void trace_text::write_calls(std::uint64_t count) {
  for (std::uint64_t i = 0; i < count; ++i) {
    const auto start = zero_ns + i * call_step_ns;
    begin("cuda_runtime", calls_[random_below(calls_.size())], process, process, start,
          500 + random_below(9000));
    fmt::format_to(std::back_inserter(text_), "      \"cid\": {}, \"correlation\": {}\n    }}\n  }},\n",
                   random_below(300), 17370 + i);
    if (i % 100 >= 54) continue;
    flow('s', 17370 + i, process, process, start);
    launches_.push_back(i);
  }
}

void trace_text::write_kernels(std::uint64_t count) {
  for (std::uint64_t i = 0; i < count; ++i) {
    const auto launch = launches_[i * launches_.size() / count];
    const auto start = zero_ns + std::max(launch * call_step_ns + 20'000, i * kernel_step_ns);
    const auto id = 17370 + launch;
    begin("kernel", drawn(kernels_, 2), device, 0, start, 2000 + random_below(30'000));
    fmt::format_to(
        std::back_inserter(text_),
        "\"External id\": {},      \"device\": {}, \"stream\": 0,      \"correlation\": {}, \"kind\": "
        "\"Dispatch Kernel\",      \"grid\":     [{}, 1, 1], \"block\":     [256, 1, 1]\n    }}\n  }},\n",
        8193 + launch, device, id, 1 + random_below(4000));
    flow('f', id, device, 0, start);
  }
}

void trace_text::write_tail() {
  fmt::format_to(
      std::back_inserter(text_),
      "  {{\n    \"name\": \"process_name\", \"ph\": \"M\", \"ts\": {}, \"pid\": {}, \"tid\": 0,\n    "
      "\"args\": "
      "{{\n      \"name\": \"python3\"\n    }}\n  }}\n  ],\n  \"traceName\": \"invented.json\"\n}}\n",
      us(zero_ns), process);
}

}  // namespace ridge::trace::generator
