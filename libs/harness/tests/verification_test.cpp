// SPDX-License-Identifier: Apache-2.0
#include "verify/verification.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>

#include <gtest/gtest.h>
#include <ridge/harness/runner.hpp>

#include "doubling.hpp"
#include "host_device.hpp"

namespace ridge::harness {
namespace {

// Verifies the only variant on one data set.
class verified {
 public:
  explicit verified(ladder_of<doubling_workload> variants, double limit_s = 20)
      : subject_(doubling(variants, 1000)),
        member_(make_host_member(*subject_, subject_.problems().front(), equipment_)) {
    member_.rekey(7);
    member_.poison_outputs();
    answers_ = std::make_unique<oracle_answers>(
        answers_to(*subject_, subject_.problems().front(), equipment_, member_));
    const auto p = subject_.problems().front();
    guarded_arrays arrays(*subject_, p, equipment_);
    seen_ = verify_variant(*subject_, 0, p, equipment_,
                           {{&member_, answers_.get()}, {&member_, answers_.get()}}, arrays, limit_s);
  }
  [[nodiscard]] const verification& seen() const { return seen_; }
  [[nodiscard]] keyed_member& member() { return member_; }
  [[nodiscard]] const oracle_answers& answers() const { return *answers_; }

 private:
  std::unique_ptr<device::device> device_ = host_device_for_tests();
  instruments equipment_{.device = device_.get()};
  experiment subject_;
  keyed_member member_;
  std::unique_ptr<oracle_answers> answers_{};
  verification seen_{};
};

template <auto Run>
ladder<doubling_workload> only() {
  return {{.name = "only", .is = role::baseline, .run = Run}};
}

TEST(verification, the_answers_lie_where_the_oracle_wrote_nothing_that_a_body_sees) {
  verified subject(only<twice>);
  EXPECT_EQ(subject.seen().refused, "");
  EXPECT_EQ(subject.seen().compared, 2000u);
  const auto& arrays = subject.member().get().memory.arrays();
  ASSERT_EQ(subject.answers().results().size(), 1u);
  const auto poison = arrays.back().bytes();
  EXPECT_TRUE(std::ranges::all_of(poison, [](std::byte b) { return b == std::byte{0xff}; }));
  EXPECT_FALSE(std::ranges::equal(poison, subject.answers().results().front()));
}

const std::byte* expected_place = nullptr;
void reads_the_answers(doubling_workload& w, call& c) {
  twice(w, c);
  w.y[0] += static_cast<float>(std::to_integer<int>(*const_cast<const volatile std::byte*>(expected_place)));
}
TEST(verification, a_body_that_looks_for_the_answers_faults) {
  verified honest(only<twice>);
  expected_place = honest.answers().results().front().data();
  EXPECT_EQ(verified(only<reads_the_answers>).seen().refused,
            "was killed by SIGSEGV (an access outside its arrays)");
}

void ends_when_right(doubling_workload& w, call& c) {
  twice(w, c);
  _exit(0);
}
TEST(verification, a_body_that_ends_its_process_is_refused_whatever_it_wrote) {
  EXPECT_EQ(verified(only<ends_when_right>).seen().refused, "ended the process it ran in");
}

void hangs(doubling_workload&, call&) {
  while (true) pause();
}
TEST(verification, a_body_that_hangs_is_refused) {
  EXPECT_EQ(verified(only<hangs>, 0.5).seen().refused, "did not end within 1 s");
}

void writes_beyond(doubling_workload& w, call& c) {
  twice(w, c);
  *(const_cast<volatile float*>(w.y.data()) - 1) = 0;
}
void changes_its_input(doubling_workload& w, call& c) {
  twice(w, c);
  const_cast<float*>(w.x.data())[3] += 1;
}
TEST(verification, what_a_body_writes_elsewhere_is_found_from_outside) {
  EXPECT_NE(verified(only<writes_beyond>).seen().refused.find("before the start"), std::string::npos);
  EXPECT_EQ(verified(only<changes_its_input>).seen().refused, "changed its inputs");
}

}  // namespace
}  // namespace ridge::harness
