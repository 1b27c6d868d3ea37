// SPDX-License-Identifier: Apache-2.0
#include "api/printed_document.hpp"

#include <ridge/base/text.hpp>

namespace ridge::app_serve {

result<std::string> printed_document::text() {
  const std::lock_guard guard(mutex_);
  const auto now = std::chrono::steady_clock::now();
  if (!text_.empty() && now - read_ < std::chrono::seconds(30)) return text_;
  if (!shared_.ask_program) return error{"this program cannot ask itself", "use `ridge serve`"};
  auto text = shared_.ask_program(words_);
  if (!text) return text.why();
  text_ = trim(*text);
  read_ = now;
  return text_;
}

}  // namespace ridge::app_serve
