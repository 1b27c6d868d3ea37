// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>

#include <ridge/server/service.hpp>

namespace ridge::server {

// How much is remembered of requests with an Idempotency-Key. What exceeds it is forgotten, the oldest first.
struct remembered_answers {
  std::size_t answers = 1000;
  std::size_t bytes = 8U << 20U;
  std::chrono::milliseconds time{24 * 3600 * 1000};
};

// Returns a receiver that heeds the field Idempotency-Key: the same key with the same body, known by its
// SHA-256, is answered as it was the first time, and `inner` sees nothing of it; with another body it is
// answered 422, and while the first is being answered 409. What failed (500 and above), and what the client
// broke off, may be sent again. Keys are 1 to 200 visible letters of ASCII (else 400), and are forgotten when
// the server ends. Any thread may use it.
[[nodiscard]] receiver answered_once(receiver inner, remembered_answers most = {});

// Returns how the field is declared by routes that use it.
[[nodiscard]] parameter idempotency_key_field();

}  // namespace ridge::server
