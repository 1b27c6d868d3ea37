// SPDX-License-Identifier: Apache-2.0
#include <ridge/server/answered_once.hpp>

#include <algorithm>
#include <cstdint>
#include <deque>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include "text/sha256.hpp"

namespace ridge::server {
namespace {

using clock = std::chrono::steady_clock;

constexpr std::size_t longest_key = 200;

bool is_key(std::string_view text) {
  return !text.empty() && text.size() <= longest_key &&
         std::ranges::all_of(text, [](char c) { return c > ' ' && c < '\x7f'; });
}

struct answered {
  sha256_digest body{};
  response answer{};
};

// The keys that were given, each with its answer once there is one.
class key_book {
 public:
  explicit key_book(remembered_answers most) : most_(most) {}

  enum class state : std::uint8_t { free, busy, answered };

  // Reserves a key that is free and returns what was known of it; sets `before` to the answer that is kept.
  state reserve(const std::string& key, std::optional<answered>& before) {
    const std::lock_guard guard(mutex_);
    forget_old(clock::now());
    const auto [place, is_new] = known_.try_emplace(key);
    if (is_new) return state::free;
    before = place->second;
    return before ? state::answered : state::busy;
  }

  void keep(const std::string& key, answered made) {
    const std::lock_guard guard(mutex_);
    const auto size = key.size() + made.answer.body.size();
    if (size > most_.bytes) return static_cast<void>(known_.erase(key));
    known_[key] = std::move(made);
    order_.push_back({key, size, clock::now()});
    bytes_ += size;
    while (order_.size() > most_.answers || bytes_ > most_.bytes) forget_first();
  }

  void release(const std::string& key) {
    const std::lock_guard guard(mutex_);
    known_.erase(key);
  }

 private:
  struct place_in_order {
    std::string key{};
    std::size_t bytes = 0;
    clock::time_point since{};
  };

  void forget_first() {
    known_.erase(order_.front().key);
    bytes_ -= order_.front().bytes;
    order_.pop_front();
  }
  void forget_old(clock::time_point now) {
    while (!order_.empty() && now - order_.front().since > most_.time) forget_first();
  }

  remembered_answers most_;
  std::mutex mutex_{};
  std::map<std::string, std::optional<answered>> known_{};  // without an answer: it is being made
  std::deque<place_in_order> order_{};
  std::size_t bytes_ = 0;
};

// Takes a body without looking at it.
class refusing_sink final : public body_sink {
 public:
  explicit refusing_sink(response answer) : answer_(std::move(answer)) {}
  void write(std::string_view) override {}
  response finish() override { return std::move(answer_); }

 private:
  response answer_;
};

response reused() {
  return problem(422, {"the Idempotency-Key was used for another body",
                       "draw a new key for each body; send the same body to have its answer again"});
}

// Compares a body with the one that was sent with its key before.
class repeated_sink final : public body_sink {
 public:
  explicit repeated_sink(answered before) : before_(std::move(before)) {}
  void write(std::string_view part) override { sum_.add(part); }
  response finish() override { return sum_.digest() == before_.body ? std::move(before_.answer) : reused(); }

 private:
  answered before_;
  sha256_sum sum_{};
};

// Passes a body on and keeps the answer.
class first_sink final : public body_sink {
 public:
  first_sink(std::shared_ptr<key_book> book, std::string key)
      : book_(std::move(book)), key_(std::move(key)) {}
  ~first_sink() override {
    if (!is_kept_) book_->release(key_);
  }
  first_sink(const first_sink&) = delete;
  first_sink& operator=(const first_sink&) = delete;

  void begin(std::unique_ptr<body_sink> inner) { inner_ = std::move(inner); }
  void write(std::string_view part) override {
    sum_.add(part);
    inner_->write(part);
  }
  response finish() override {
    auto answer = inner_->finish();
    is_kept_ = answer.status < 500;
    if (is_kept_) book_->keep(key_, {sum_.digest(), answer});
    return answer;
  }

 private:
  std::shared_ptr<key_book> book_;
  std::string key_;
  std::unique_ptr<body_sink> inner_{};
  sha256_sum sum_{};
  bool is_kept_ = false;
};

std::unique_ptr<body_sink> sink_that_refuses(int status, const error& why) {
  return std::make_unique<refusing_sink>(problem(status, why));
}

}  // namespace

receiver answered_once(receiver inner, remembered_answers most) {
  return [inner = std::move(inner),
          book = std::make_shared<key_book>(most)](const request& asked) -> std::unique_ptr<body_sink> {
    const auto key = value_of(asked.fields, "idempotency-key");
    if (!key) return inner(asked);
    if (!is_key(*key))
      return sink_that_refuses(400,
                               {"the Idempotency-Key is not 1 to 200 visible letters", "send a UUID, say"});
    const std::string owned_key(*key);
    std::optional<answered> before;
    const auto state = book->reserve(owned_key, before);
    if (before) return std::make_unique<repeated_sink>(*std::move(before));
    if (state == key_book::state::busy)
      return sink_that_refuses(
          409, {"a request with this Idempotency-Key is being answered", "send it again later"});
    auto first = std::make_unique<first_sink>(book, owned_key);
    first->begin(inner(asked));
    return first;
  };
}

parameter idempotency_key_field() {
  return {.name = "Idempotency-Key",
          .description =
              "the same key with the same body is answered as it was the first time; 422 with another"};
}

}  // namespace ridge::server
