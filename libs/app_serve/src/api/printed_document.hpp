// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <mutex>
#include <string>
#include <vector>

#include <ridge/base/result.hpp>

#include "api/api.hpp"

namespace ridge::app_serve {

// A document that a command of this program prints, kept for half a minute: the command looks at the whole
// machine. Any thread may use it; several who ask at once wait for one.
class printed_document final {
 public:
  printed_document(const api& shared, std::vector<std::string> words)
      : shared_(shared), words_(std::move(words)) {}

  // Returns the document, or why it could not be had.
  [[nodiscard]] result<std::string> text();

 private:
  const api& shared_;
  std::vector<std::string> words_;
  std::mutex mutex_{};
  std::string text_{};
  std::chrono::steady_clock::time_point read_{};
};

}  // namespace ridge::app_serve
