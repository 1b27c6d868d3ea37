// SPDX-License-Identifier: Apache-2.0
#include <ridge/server/answered_once.hpp>

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <string>

#include <gtest/gtest.h>

#include "text/sha256.hpp"

namespace ridge::server {
namespace {

// Answers with how often it was asked; the body "fail" throws, and "broken" is answered 503.
class numbering_sink final : public body_sink {
 public:
  explicit numbering_sink(int number) : number_(number) {}
  void write(std::string_view part) override {
    if (part == "fail") throw std::runtime_error("it failed");
    is_broken_ = part == "broken";
  }
  response finish() override {
    if (is_broken_) return problem(503, {"broken", ""});
    return json_response(std::to_string(number_));
  }

 private:
  int number_;
  bool is_broken_ = false;
};

class answered_once_routes : public testing::Test {
 protected:
  explicit answered_once_routes(remembered_answers most = {})
      : receive(answered_once([this](const request&) { return std::make_unique<numbering_sink>(++sinks); },
                              most)) {}

  [[nodiscard]] std::unique_ptr<body_sink> sink(const std::string& key) const {
    request asked;
    asked.fields = {{"idempotency-key", key}};
    return receive(asked);
  }
  [[nodiscard]] response answer(const std::string& key, const std::string& body) const {
    const auto taking = sink(key);
    taking->write(body);
    return taking->finish();
  }

  int sinks = 0;
  receiver receive;
};

TEST_F(answered_once_routes, repeat_the_first_answer_to_the_same_body_alone) {
  EXPECT_EQ(answer("a", "x").body, "1");
  EXPECT_EQ(answer("a", "x").body, "1");
  EXPECT_EQ(answer("a", "y").status, 422);
  EXPECT_EQ(answer("b", "y").body, "2");
  request without;
  EXPECT_EQ(receive(without)->finish().body, "3");
  EXPECT_EQ(sinks, 3);
  for (const std::string key : {"", "a b", "\xc3\xa4", "a\x7f"})
    EXPECT_EQ(answer(key, "x").status, 400) << key;
}

TEST_F(answered_once_routes, compare_bodies_however_they_were_parted) {
  const auto first = sink("a");
  for (const char letter : std::string("a body in many parts")) first->write({&letter, 1});
  EXPECT_EQ(first->finish().body, "1");
  EXPECT_EQ(answer("a", "a body in many parts").body, "1");
}

TEST_F(answered_once_routes, let_what_failed_or_was_broken_off_be_sent_again) {
  EXPECT_THROW((void)answer("a", "fail"), std::runtime_error);
  EXPECT_EQ(answer("a", "x").body, "2");
  EXPECT_EQ(answer("b", "broken").status, 503);
  EXPECT_EQ(answer("b", "x").body, "4");
  sink("c")->write("half of it");
  EXPECT_EQ(answer("c", "x").body, "6");
}

TEST_F(answered_once_routes, refuse_a_key_that_is_being_answered) {
  const auto first = sink("a");
  first->write("x");
  EXPECT_EQ(answer("a", "x").status, 409);
  EXPECT_EQ(first->finish().body, "1");
  EXPECT_EQ(answer("a", "x").body, "1");
}

class answered_once_limits : public answered_once_routes {
 protected:
  answered_once_limits() : answered_once_routes({.answers = 3, .bytes = 100}) {}
};

TEST_F(answered_once_limits, forget_the_oldest) {
  for (const std::string key : {"a", "b", "c", "d"}) (void)answer(key, "x");
  EXPECT_EQ(answer("d", "x").body, "4");
  EXPECT_EQ(answer("a", "x").body, "5") << "forgotten, so it is answered anew";
  (void)answer(std::string(150, 'k'), "x");
  EXPECT_EQ(answer("d", "x").body, "4") << "an answer too large to keep drives out no other";
}

TEST(server_sha256, is_that_of_the_whole_however_it_was_parted) {
  std::string text;
  for (int i = 0; i < 300; ++i) text += static_cast<char>(i * 7);
  for (std::size_t size = 0; size <= text.size(); ++size) {
    const auto whole = std::string_view(text).substr(0, size);
    sha256_sum sum;
    sum.add(whole.substr(0, size / 3));
    sum.add(whole.substr(size / 3, 1));
    sum.add(whole.substr(std::min(size, size / 3 + 1)));
    EXPECT_EQ(sum.digest(), sha256(whole)) << size;
    EXPECT_EQ(sum.digest(), sha256(whole)) << "asking changes nothing";
  }
}

}  // namespace
}  // namespace ridge::server
