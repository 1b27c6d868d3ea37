// SPDX-License-Identifier: Apache-2.0
#include "import/input_source.hpp"

#include <utility>

#include "import/sniff.hpp"
#include "import/unpacked_source.hpp"

namespace ridge::trace {

headed_source::headed_source(std::unique_ptr<byte_source> source)
    : source_(std::move(source)), head_(sniffed_bytes) {
  head_.resize(source_->read(head_));
}

std::size_t headed_source::read(std::span<char> buffer) {
  std::size_t done = 0;
  if (given_ < head_.size()) done = head().substr(given_).copy(buffer.data(), buffer.size());
  given_ += done;
  if (done == buffer.size()) return done;
  const auto more = source_->read(buffer.subspan(done));
  given_ += more;
  return done + more;
}

std::unique_ptr<headed_source> plain_source(std::unique_ptr<byte_source> packed, const read_limits& limits,
                                            const std::string& name, std::vector<std::string>* layers) {
  constexpr int deepest = 3;
  auto source = std::make_unique<headed_source>(std::move(packed));
  for (int i = 0; i < deepest; ++i) {
    auto by = unpacker_of(source->head());
    if (by == nullptr) break;
    if (layers != nullptr) layers->emplace_back(by->format());
    source = std::make_unique<headed_source>(unpacked_source(std::move(source), std::move(by), limits, name));
  }
  return source;
}

}  // namespace ridge::trace
