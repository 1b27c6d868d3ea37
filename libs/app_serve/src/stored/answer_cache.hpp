// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

namespace ridge::app_serve {

// Keeps documents until the store changes. Any thread may use it.
class answer_cache final {
 public:
  // Keeps `bytes` of documents at most.
  explicit answer_cache(std::size_t bytes = 64U << 20U) : most_bytes_(bytes) {}

  // Returns the document of a request that was made of this revision of the store; null where it is not kept.
  // An empty revision is that of a store of which nothing is known: nothing is kept.
  [[nodiscard]] std::shared_ptr<const std::string> find(const std::string& key, const std::string& revision);

  // Keeps a document. Those of another revision are forgotten, and all where they are too many.
  void keep(const std::string& key, const std::string& revision, std::string document);

 private:
  void begin(const std::string& revision);

  std::mutex mutex_{};
  std::size_t most_bytes_;
  std::size_t bytes_ = 0;
  std::string revision_{};
  std::map<std::string, std::shared_ptr<const std::string>> kept_{};
};

}  // namespace ridge::app_serve
