// SPDX-License-Identifier: Apache-2.0
#include <ridge/server/event_hub.hpp>

#include <algorithm>
#include <chrono>
#include <set>
#include <utility>
#include <vector>

#include <ridge/base/expects.hpp>

namespace ridge::server {
namespace {

constexpr std::size_t most_data = 64 * 1024;

bool is_type(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' ||
           c == '_' || c == '-';
  });
}

std::uint64_t microseconds_now() {
  const auto since = std::chrono::system_clock::now().time_since_epoch();
  return static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::microseconds>(since).count());
}

}  // namespace

event_hub::event_hub(std::size_t events, std::size_t bytes, std::uint64_t first_id)
    : most_events_(events),
      most_bytes_(bytes),
      last_id_((first_id == 0 ? microseconds_now() : first_id) - 1) {}

std::uint64_t event_hub::publish(const event& happened) {
  expects(is_type(happened.type), "event_hub::publish: a type of letters, digits, `.`, `_` and `-`");
  expects(happened.data.find_first_of(std::string_view("\r\n\0", 3)) == std::string::npos &&
              happened.data.size() <= most_data,
          "event_hub::publish: data on one line of 64 KiB at most");
  std::function<void()> listener;
  std::uint64_t id = 0;
  {
    const std::lock_guard guard(mutex_);
    id = ++last_id_;
    kept made{happened.type, happened.key, {}, 0};
    made.frame =
        "id: " + std::to_string(id) + "\nevent: " + happened.type + "\ndata: " + happened.data + "\n\n";
    end_ += made.frame.size();
    made.end = end_;
    events_.push_back(std::move(made));
    while (events_.size() > most_events_ ||
           (events_.size() > 1 && end_ - (events_.front().end - events_.front().frame.size()) > most_bytes_))
      events_.pop_front();
    listener = listener_;
  }
  if (listener) listener();
  return id;
}

std::uint64_t event_hub::last_id() const {
  const std::lock_guard guard(mutex_);
  return last_id_;
}

bool event_hub::can_continue_locked(std::uint64_t id) const {
  return id <= last_id_ && id + events_.size() >= last_id_;
}

bool event_hub::can_continue(std::uint64_t id) const {
  const std::lock_guard guard(mutex_);
  return can_continue_locked(id);
}

event_batch event_hub::after(std::uint64_t id, std::size_t most_bytes) const {
  const std::lock_guard guard(mutex_);
  expects(can_continue_locked(id), "event_hub::after: the events after this id are still kept");
  event_batch made;
  made.last_id = last_id_;
  const auto begin = events_.size() - static_cast<std::size_t>(last_id_ - id);
  auto end = begin;
  for (std::size_t bytes = 0; end < events_.size() && (end == begin || bytes < most_bytes); ++end)
    bytes += events_[end].frame.size();
  made.more = end < events_.size();
  made.last_id = last_id_ - (events_.size() - end);
  std::set<std::pair<std::string_view, std::string_view>> later;
  std::vector<const kept*> chosen;
  for (auto i = end; i-- > begin;) {
    const auto& one = events_[i];
    if (one.key.empty() || later.emplace(one.type, one.key).second) chosen.push_back(&one);
  }
  for (auto one = chosen.rbegin(); one != chosen.rend(); ++one) made.text += (*one)->frame;
  return made;
}

std::size_t event_hub::bytes_after(std::uint64_t id) const {
  const std::lock_guard guard(mutex_);
  if (!can_continue_locked(id)) return static_cast<std::size_t>(end_);
  if (id == last_id_) return 0;
  const auto& first = events_[events_.size() - static_cast<std::size_t>(last_id_ - id)];
  return static_cast<std::size_t>(end_ - (first.end - first.frame.size()));
}

void event_hub::on_publish(std::function<void()> listener) {
  const std::lock_guard guard(mutex_);
  listener_ = std::move(listener);
}

}  // namespace ridge::server
