// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>
#include <string>

#include <ridge/base/error.hpp>

namespace ridge::trace_c {

// A question that cannot be answered, as the status that the interface returns for it, and a sentence.
class refused : public std::runtime_error {
 public:
  refused(int status, const error& why) : std::runtime_error(why.text()), status_(status) {}
  [[nodiscard]] int status() const { return status_; }

 private:
  int status_;
};

[[nodiscard]] refused wrong_use(std::string what_is_wrong, std::string remedy = {});

}  // namespace ridge::trace_c
