// SPDX-License-Identifier: Apache-2.0
#include "audit/gpu_audit.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "traced_call.hpp"

namespace ridge::harness {
namespace {

using measure::gpu_activity_kind;
using model::outcome;
using testing::HasSubstr;
using tests::traced_call;

constexpr std::size_t first_kernel = 2;  // in traced_call's activities

traced_variant honest_trace() { return {.name = "v", .first = traced_call(), .second = traced_call()}; }

// The only finding.
model::check only(const variant_audit& audit) {
  EXPECT_EQ(audit.skipped, "");
  EXPECT_EQ(audit.findings.size(), 1U);
  return audit.findings.empty() ? model::check{} : audit.findings.front();
}

void expect_finding(const traced_variant& seen, outcome result, const std::string& evidence) {
  const auto found = only(audit_of(seen));
  EXPECT_EQ(found.id, "audit");
  EXPECT_EQ(found.result, result);
  EXPECT_THAT(found.evidence, HasSubstr("v: "));
  EXPECT_THAT(found.evidence, HasSubstr(evidence));
}

void add_call(measure::gpu_trace& trace, const std::string& name) {
  trace.calls.push_back({.name = name, .start_s = 13e-6, .end_s = 13.5e-6, .thread = 1, .id = 60});
}

TEST(gpu_audit, an_honest_variant_passes_with_its_kernels) {
  const auto audit = audit_of(honest_trace());
  EXPECT_EQ(audit.skipped, "");
  EXPECT_TRUE(audit.findings.empty());
  EXPECT_TRUE(audit.remarks.empty()) << "the harness's own wait is none of the body's";
  ASSERT_EQ(audit.kernels.size(), 2U);
  EXPECT_EQ(audit.kernels[0].name, "scale");
  EXPECT_EQ(audit.kernels[0].count, 2U);
  EXPECT_NEAR(audit.kernels[0].time_s, 50e-6, 1e-12);
  EXPECT_NEAR(audit.kernels[0].share, 50.0 / 60, 1e-9);
}

TEST(gpu_audit, work_that_ends_after_the_call_fails) {
  auto seen = honest_trace();
  seen.streams_made = {14};
  auto& kernel = seen.second.activities[first_kernel];
  kernel.stream = 14;
  kernel.end_s = 230e-6;
  expect_finding(seen, outcome::fail, "scale on stream 14 ended 30.0 us after it");
}

TEST(gpu_audit, work_that_does_not_wait_for_the_queue_fails) {
  auto seen = honest_trace();
  seen.streams_made = {14};
  auto& kernel = seen.second.activities[first_kernel];
  kernel.stream = 14;
  kernel.start_s = 40e-6;
  expect_finding(seen, outcome::fail, "began 61.0 us before it");
}

TEST(gpu_audit, a_branch_of_a_graph_is_judged_by_its_times) {
  auto seen = honest_trace();
  for (auto* trace : {&seen.first, &seen.second}) {
    trace->activities[first_kernel].stream = 14;
    trace->activities[first_kernel].graph = 3;
  }
  EXPECT_TRUE(audit_of(seen).findings.empty());
  seen.second.activities[first_kernel].end_s = 230e-6;
  expect_finding(seen, outcome::fail, "after it");
}

TEST(gpu_audit, a_joined_stream_of_its_own_passes) {
  auto seen = honest_trace();
  seen.streams_made = {14};
  seen.second.activities[first_kernel].stream = 14;
  EXPECT_TRUE(audit_of(seen).findings.empty());
}

TEST(gpu_audit, a_stream_that_nobody_made_is_a_warning) {
  auto seen = honest_trace();
  seen.streams_made = {13};
  seen.second.activities[first_kernel].stream = 14;
  expect_finding(seen, outcome::warn, "works on stream 14");
}

TEST(gpu_audit, where_streams_are_not_told_the_calls_that_make_them_count) {
  auto seen = honest_trace();
  seen.second.activities[first_kernel].stream = 14;
  seen.stream_calls = 1;
  EXPECT_TRUE(audit_of(seen).findings.empty());
  seen.second.activities[first_kernel + 1].stream = 15;
  expect_finding(seen, outcome::warn, "14, 15");
}

TEST(gpu_audit, another_gpu_than_declared_fails) {
  auto seen = honest_trace();
  seen.streams_made = {14};
  seen.second.activities[first_kernel].stream = 14;
  seen.second.activities[first_kernel].device = 1;
  expect_finding(seen, outcome::fail, "GPUs 0, 1, and declares 1");
  seen.gpus = 2;
  EXPECT_TRUE(audit_of(seen).findings.empty());
}

TEST(gpu_audit, calls_that_differ_are_a_warning) {
  auto seen = honest_trace();
  seen.second.activities.erase(seen.second.activities.begin() + first_kernel);
  expect_finding(seen, outcome::warn, "scale on 4x1x1 blocks 2 times, then 1");
}

TEST(gpu_audit, the_same_kernels_on_other_grids_differ) {
  auto seen = honest_trace();
  seen.second.activities[first_kernel].grid = {8, 1, 1};
  expect_finding(seen, outcome::warn, "differ");
}

TEST(gpu_audit, an_allocation_in_the_body_is_a_warning) {
  auto seen = honest_trace();
  add_call(seen.second, "cudaMalloc");
  add_call(seen.second, "cudaFree");
  expect_finding(seen, outcome::warn, "memory 2 times a call (cudaFree 1, cudaMalloc 1)");
}

TEST(gpu_audit, an_allocation_that_no_call_names_is_a_warning) {
  auto seen = honest_trace();
  seen.second.activities.push_back({.kind = gpu_activity_kind::allocation, .start_s = 13e-6, .end_s = 13e-6});
  expect_finding(seen, outcome::warn, "memory 1 times a call");
}

TEST(gpu_audit, a_stream_made_in_the_body_is_a_warning) {
  auto seen = honest_trace();
  add_call(seen.second, "cudaStreamCreateWithFlags");
  expect_finding(seen, outcome::warn, "cudaStreamCreateWithFlags 1");
}

TEST(gpu_audit, threads_left_behind_are_a_warning) {
  auto seen = honest_trace();
  seen.threads_left = 2;
  expect_finding(seen, outcome::warn, "2 host threads");
}

TEST(gpu_audit, waiting_for_the_device_is_a_remark) {
  auto seen = honest_trace();
  add_call(seen.second, "cudaStreamSynchronize");
  const auto audit = audit_of(seen);
  EXPECT_TRUE(audit.findings.empty());
  ASSERT_EQ(audit.remarks.size(), 1U);
  EXPECT_EQ(audit.remarks[0], "v waits for the device 1 times a call (cudaStreamSynchronize 1)");
}

TEST(gpu_audit, a_trace_with_gaps_proves_nothing) {
  auto seen = honest_trace();
  seen.first.dropped = 3;
  seen.threads_left = 2;
  const auto audit = audit_of(seen);
  EXPECT_EQ(audit.skipped, "v: 3 records dropped");
  EXPECT_TRUE(audit.findings.empty());
}

TEST(gpu_audit, a_trace_without_marks_proves_nothing) {
  auto seen = honest_trace();
  seen.second.activities.pop_back();
  EXPECT_THAT(audit_of(seen).skipped, HasSubstr("lacks the marks of the call (5 activities, 7 calls)"));
}

}  // namespace
}  // namespace ridge::harness
