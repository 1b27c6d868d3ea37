// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ridge::host {

// A library opened at run time, so that a program starts without it. A missing library or symbol throws
// unavailable, whose text becomes the reason of a skip.
class shared_library final {
 public:
  // Opens the first of `names` that the loader finds ("libopenblas.so.0"). `product` and `remedy` are words
  // for people.
  shared_library(const std::vector<std::string>& names, std::string_view product, std::string_view remedy);

  // Returns the address of a symbol in the library or in what it links.
  [[nodiscard]] void* symbol(const std::string& name) const;
  // Returns the address as a pointer to a function of type F.
  template <class F>
  [[nodiscard]] F* function(const std::string& name) const {
    return reinterpret_cast<F*>(symbol(name));
  }
  // Returns the name under which the library was opened.
  [[nodiscard]] const std::string& name() const { return name_; }

 private:
  // Never closed: such libraries leave threads and exit handlers behind.
  void* handle_ = nullptr;
  std::string name_{};
  std::string product_{};
  std::string remedy_{};
};

}  // namespace ridge::host
