// SPDX-License-Identifier: Apache-2.0
#include "imports/run_sink.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include <ridge/base/text.hpp>
#include <ridge/model/json.hpp>
#include <ridge/model/json_writer.hpp>
#include <ridge/store/run_import.hpp>
#include <ridge/store/store_failure.hpp>

namespace ridge::app_serve {

void run_sink::write(std::string_view part) {
  if (refusal_.status != 0) return;
  if (form_ == form::lines) {
    for (auto end = part.find('\n'); end != std::string_view::npos && refusal_.status == 0;
         end = part.find('\n')) {
      rest_ += part.substr(0, end);
      part.remove_prefix(end + 1);
      take(rest_);
      rest_.clear();
      ++line_;
    }
  }
  if (refusal_.status != 0) return;
  rest_ += part;
  if (rest_.size() > most_.run_bytes)
    refuse(413, {fmt::format("the run has more than {} bytes", most_.run_bytes),
                 "import it on the server's machine with `ridge import FILE`"});
}

void run_sink::take(std::string_view text) {
  if (trim(text).empty()) return;
  if (entries_.size() >= most_.runs)
    return refuse(413,
                  {fmt::format("the body has more than {} runs", most_.runs), "send the rest by itself"});
  const std::lock_guard guard(*turn_);
  const auto run = model::run_from_json(text);
  if (!run) return refuse(400, run.why());
  if (const auto fine = store::importable(*run); !fine) return refuse(400, fine.why());
  try {
    const auto done = store::import_run(*stores_.borrow(), *run);
    if (!done) return refuse(409, done.why());
    entries_.push_back({line_, run->id, *done == store::import_outcome::stored, run->families.size()});
  } catch (const store::store_failure& why) {
    refuse(503, stores_.told(why));
  }
}

void run_sink::refuse(int status, const error& why) {
  rest_.clear();
  rest_.shrink_to_fit();
  constexpr std::string_view first_line = "line 1, ";  // the reader was given one line
  auto told = why;
  if (form_ == form::lines) {
    if (told.message.starts_with(first_line)) {
      told.message.erase(0, first_line.size());
      told.remedy = "write each run on one line, or send one run as application/json";
    }
    told.message = fmt::format("line {}, {}", line_, told.message);
  }
  refusal_ = server::problem(status, told);
  refusal_.body.back() = ',';  // members of our own follow those of RFC 9457
  if (form_ == form::lines) refusal_.body += fmt::format("\"line\":{},", line_);
  refusal_.body += outcome_members();
}

std::string run_sink::outcome_members() const {
  model::json_writer json;
  const auto stored = static_cast<std::size_t>(std::ranges::count(entries_, true, &entry::is_new));
  json.begin_object().field("stored", stored).field("known", entries_.size() - stored);
  json.key("items").begin_array();
  for (const auto& one : entries_) {
    json.begin_object().field("line", one.line).field("id", one.id);
    json.field("state", one.is_new ? "stored" : "known").field("families", one.families).end_object();
  }
  json.end_array().end_object();
  return std::move(json).take().substr(1);
}

server::response run_sink::finish() {
  if (refusal_.status == 0) take(std::exchange(rest_, {}));
  if (refusal_.status == 0 && entries_.empty())
    refuse(400, {"the body holds no run", "send what `ridge run --save` wrote"});
  if (refusal_.status != 0) return std::move(refusal_);
  return server::json_response("{" + outcome_members());
}

}  // namespace ridge::app_serve
