// SPDX-License-Identifier: Apache-2.0
#include "workload_rows.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <utility>

#include <fmt/format.h>

#include <ridge/base/text.hpp>
#include <ridge/plan/serve/counted_random.hpp>

#include "json_scan.hpp"
#include "time_text.hpp"

namespace ridge::plan::serve {
namespace {

constexpr std::int64_t most_tokens = 1LL << 30U;
constexpr std::size_t most_notes_shown = 40;
// Ids count from 0, which means "unknown" in caches; keys are hashes of them.
constexpr std::uint64_t block_names = 3;

std::string shown(std::string_view value) {
  return std::string(value.substr(0, most_notes_shown)) + (value.size() > most_notes_shown ? "..." : "");
}

// Normalizes a name: "Context Tokens", "context_tokens" and "ContextTokens" are the same.
std::string plain_name(std::string_view name) {
  std::string plain;
  for (const char c : name) {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0) plain += lower_case(c);
  }
  return plain;
}

constexpr std::array time_names{"timestamp", "arrival",   "arrivaltime", "time",
                                "t",         "starttime", "requesttime", "arrivaltimestamp"};
constexpr std::array<std::pair<std::string_view, double>, 5> time_units{
    {{"ns", 1.0}, {"us", 1e3}, {"ms", 1e6}, {"seconds", 1e9}, {"s", 1e9}}};

std::optional<double> time_unit(const std::string& plain) {
  for (const std::string_view n : time_names) {
    if (plain == n) return 1e9;
    if (!plain.starts_with(n)) continue;
    for (const auto& [unit, to_ns] : time_units) {
      if (plain.substr(n.size()) == unit) return to_ns;
    }
  }
  return std::nullopt;
}

constexpr std::array<std::pair<std::string_view, row_field>, 40> other_names{{
    {"contexttokens", row_field::prompt},
    {"inputlength", row_field::prompt},
    {"inputtoks", row_field::prompt},
    {"inputtokens", row_field::prompt},
    {"inputlen", row_field::prompt},
    {"prompttokens", row_field::prompt},
    {"promptlen", row_field::prompt},
    {"promptlength", row_field::prompt},
    {"requesttokens", row_field::prompt},
    {"isl", row_field::prompt},
    {"numprefilltokens", row_field::prompt},
    {"generatedtokens", row_field::output},
    {"outputlength", row_field::output},
    {"outputtoks", row_field::output},
    {"outputtokens", row_field::output},
    {"outputlen", row_field::output},
    {"completiontokens", row_field::output},
    {"responsetokens", row_field::output},
    {"numdecodetokens", row_field::output},
    {"osl", row_field::output},
    {"session", row_field::session},
    {"sessionid", row_field::session},
    {"conversationid", row_field::session},
    {"chatid", row_field::session},
    {"correlationid", row_field::session},
    {"tenant", row_field::tenant},
    {"tenantid", row_field::tenant},
    {"user", row_field::tenant},
    {"userid", row_field::tenant},
    {"client", row_field::tenant},
    {"clientid", row_field::tenant},
    {"priority", row_field::priority},
    {"hashids", row_field::hashes},
    {"inputtokids", row_field::prompt_ids},
    {"prompttokenids", row_field::prompt_ids},
    {"inputtokenids", row_field::prompt_ids},
    {"inputids", row_field::prompt_ids},
    {"outputtokids", row_field::output_ids},
    {"outputtokenids", row_field::output_ids},
    {"outputids", row_field::output_ids},
}};

row_field usual_field(const std::string& plain) {
  for (const auto& [name, what] : other_names) {
    if (plain == name) return what;
  }
  return row_field::unknown;
}

row_field given_field(std::string_view name, const workload_columns& given) {
  if (name.empty()) return row_field::unknown;
  if (name == given.prompt) return row_field::prompt;
  if (name == given.output) return row_field::output;
  if (name == given.tenant) return row_field::tenant;
  if (name == given.session) return row_field::session;
  if (name == given.priority) return row_field::priority;
  return row_field::unknown;
}

// When the user names the column of a field, the usual names of that field are ignored.
bool taken(row_field f, const workload_columns& given) {
  switch (f) {
    case row_field::prompt:
      return !given.prompt.empty();
    case row_field::output:
      return !given.output.empty();
    case row_field::tenant:
      return !given.tenant.empty();
    case row_field::session:
      return !given.session.empty();
    case row_field::priority:
      return !given.priority.empty();
    default:
      return false;
  }
}

double unit_by_end(const std::string& plain) {
  for (const auto& [unit, to_ns] : time_units) {
    if (plain.ends_with(unit)) return to_ns;
  }
  return 1e9;
}

}  // namespace

known_field field_named(std::string_view name, const workload_columns& given, bool mooncake) {
  const auto plain = plain_name(name);
  if (!given.arrival.empty() && name == given.arrival) {
    const bool bare = plain == "timestamp" || plain == "time";
    return {row_field::arrival, bare ? 1e9 : unit_by_end(plain)};
  }
  if (const auto f = given_field(name, given); f != row_field::unknown) return {f, 0};
  if (const auto unit = time_unit(plain); unit && given.arrival.empty())
    return {row_field::arrival, mooncake && plain == "timestamp" ? 1e6 : *unit};
  const auto f = usual_field(plain);
  return {taken(f, given) ? row_field::unknown : f, 0};
}

void workload_rows::begin(std::int64_t line) {
  line_ = line;
  row_ = {};
  prompt_ = output_ = ids_prompt_ = ids_output_ = -1;
  timed_ = bad_ = false;
  hash_mark_ = made_.hashes.size();
  ids_.clear();
  row_.first_hash = static_cast<std::uint32_t>(hash_mark_);
}

void workload_rows::refuse(std::string fault, std::size_t column) {
  if (bad_) return;
  bad_ = true;
  complaint_ = std::move(fault);
  bad_column_ = column;
}

void workload_rows::take(known_field field, std::string_view name, std::string_view value,
                         std::size_t column) {
  switch (field.field) {
    case row_field::arrival:
      return take_time(field, name, value, column);
    case row_field::prompt:
      return take_tokens(prompt_, name, value, column);
    case row_field::output:
      return take_tokens(output_, name, value, column);
    case row_field::session:
      row_.session = session_of(value);
      return;
    case row_field::tenant:
      row_.tenant = tenant_of(value);
      return;
    case row_field::priority: {
      const auto n = parse_whole(value);
      if (!n || *n < -128 || *n > 127)
        return refuse(fmt::format("{}: \"{}\" is not a priority of -128 to 127", name, shown(value)), column);
      row_.priority = static_cast<std::int8_t>(*n);
      return;
    }
    case row_field::hashes:
      return take_hashes(name, value, column);
    case row_field::prompt_ids:
      take_ids(name, value, column);
      ids_prompt_ = static_cast<std::int64_t>(ids_.size());
      return;
    case row_field::output_ids:
      take_ids(name, value, column);
      ids_output_ = static_cast<std::int64_t>(ids_.size()) - std::max<std::int64_t>(ids_prompt_, 0);
      return;
    case row_field::unknown:
      return;
  }
}

void workload_rows::take_time(const known_field& field, std::string_view name, std::string_view value,
                              std::size_t column) {
  if (timed_) return;
  double ns = 0;
  if (const auto date = parse_date_ns(value)) {
    // As doubles, dates would be rounded to a quarter of a microsecond; differences to the first are exact.
    if (!base_ns_) base_ns_ = static_cast<double>(*date);
    ns = static_cast<double>(*date - static_cast<std::int64_t>(*base_ns_));
  } else if (const auto whole = field.to_ns == 1 ? parse_whole(value) : std::nullopt) {
    if (!base_ns_) base_ns_ = static_cast<double>(*whole);
    ns = static_cast<double>(*whole - static_cast<std::int64_t>(*base_ns_));
  } else if (const auto number = parse_number(value)) {
    ns = *number * field.to_ns;
  } else {
    return refuse(fmt::format("{}: \"{}\" is not a valid duration", name, shown(value)), column);
  }
  row_.arrival_s = ns / 1e9;
  timed_ = true;
}

void workload_rows::take_tokens(std::int64_t& count, std::string_view name, std::string_view value,
                                std::size_t column) {
  const auto n = parse_whole(value);
  if (!n || *n < 0 || *n > most_tokens)
    return refuse(fmt::format("{}: \"{}\" is not a number of tokens", name, shown(value)), column);
  count = *n;
}

void workload_rows::take_hashes(std::string_view name, std::string_view value, std::size_t column) {
  constexpr std::uint32_t mooncake_block = 512;
  json_elements ids(value);
  while (ids.next()) {
    std::uint64_t h = 0;
    const auto text = ids.value();
    const auto end = text.data() + text.size();
    const auto [at, code] = std::from_chars(text.data(), end, h);
    if (code != std::errc() || at != end)
      return refuse(fmt::format("{}: \"{}\" is not a block id", name, shown(text)), column);
    made_.hashes.push_back(random_bits(h, 0, block_names));
  }
  if (ids.failed()) refuse(fmt::format("{}: no array of block ids", name), column);
  made_.hash_tokens = mooncake_block;
}

void workload_rows::take_ids(std::string_view name, std::string_view value, std::size_t column) {
  json_elements ids(value);
  while (ids.next()) {
    std::uint32_t id = 0;
    const auto text = ids.value();
    const auto end = text.data() + text.size();
    const auto [at, code] = std::from_chars(text.data(), end, id);
    if (code != std::errc() || at != end)
      return refuse(fmt::format("{}: \"{}\" is not a token id", name, shown(text)), column);
    ids_.push_back(id);
  }
  if (ids.failed()) refuse(fmt::format("{}: no array of token ids", name), column);
}

void workload_rows::check() {
  if (prompt_ < 0) prompt_ = ids_prompt_;
  if (output_ < 0) output_ = ids_output_;
  if (!timed_) return refuse("no time of arrival", 1);
  if (prompt_ < 0) return refuse("no number of prompt tokens", 1);
  if (output_ < 0) return refuse("no number of answer tokens", 1);
  if (prompt_ == 0) return refuse("a prompt of 0 tokens", 1);
  if (output_ == 0) return refuse("an answer of 0 tokens", 1);
}

bool workload_rows::end() {
  check();
  if (bad_) {
    made_.hashes.resize(hash_mark_);
    ++made_.skipped_rows;
    return options_.skip_bad;
  }
  row_.prompt_tokens = static_cast<std::uint32_t>(prompt_);
  row_.output_tokens = static_cast<std::uint32_t>(output_);
  if (!ids_.empty()) {
    made_.hash_tokens = options_.hash_tokens;
    std::uint64_t name = 0;
    for (std::size_t i = 0; i < ids_.size(); ++i) {
      name = random_bits(name, ids_[i], 2);
      if ((i + 1) % options_.hash_tokens == 0) made_.hashes.push_back(name);
    }
  }
  row_.hashes = static_cast<std::uint32_t>(made_.hashes.size() - hash_mark_);
  made_.requests.push_back(row_);
  return true;
}

error workload_rows::why() const {
  return {fmt::format("{}:{}:{}: {}", name_, line_, bad_column_, complaint_),
          "mend the row, or --skip-bad leaves such rows out and counts them"};
}

result<workload> workload_rows::finish(std::string_view format) && {
  if (made_.requests.empty())
    return error{made_.skipped_rows > 0 ? fmt::format("{}: none of its {} rows can be read as {}", name_,
                                                      made_.skipped_rows, format)
                                        : fmt::format("{}: no request is in it", name_),
                 "give a trace with a time, prompt tokens and answer tokens in each row"};
  if (const auto moved = put_in_order(made_); moved > 0)
    made_.notes.push_back(fmt::format("sorted by time: {} rows were out of order", moved));
  if (made_.skipped_rows > 0)
    made_.notes.push_back(
        fmt::format("{} bad rows left out, the last at line {}: {}", made_.skipped_rows, line_, complaint_));
  made_.tenants.resize(tenants_.size());
  for (const auto& [name, index] : tenants_) made_.tenants[index] = name;
  made_.source = fmt::format("{} ({})", name_, format);
  return std::move(made_);
}

std::uint32_t workload_rows::session_of(std::string_view name) {
  return sessions_.try_emplace(std::string(name), static_cast<std::uint32_t>(sessions_.size() + 1))
      .first->second;
}

std::uint16_t workload_rows::tenant_of(std::string_view name) {
  if (const auto known = tenants_.find(std::string(name)); known != tenants_.end())
    return static_cast<std::uint16_t>(known->second);
  if (tenants_.size() >= 65535) return refuse("more than 65535 tenants", 1), std::uint16_t{0};
  const auto next = static_cast<std::uint32_t>(tenants_.size());
  tenants_.emplace(name, next);
  return static_cast<std::uint16_t>(next);
}

}  // namespace ridge::plan::serve
