// SPDX-License-Identifier: Apache-2.0
#include "operators/op_inputs.hpp"

#include <algorithm>
#include <charconv>
#include <numeric>

#include "operators/json_list.hpp"

namespace ridge::trace {
namespace {

using kind = list_item::kind;

bool is_shape(const list_item& item) {
  return item.form == kind::list && !item.items.empty() &&
         std::ranges::all_of(item.items, [](const list_item& i) { return i.form == kind::integer; });
}

// A size that no tensor can have makes the input no tensor, so that what is computed from the others stays
// within 64 bits.
constexpr std::int64_t largest_size = std::int64_t{1} << 31;
constexpr double most_elements = 1e14;

void add_tensor(const list_item& item, std::vector<dims>& shapes) {
  dims d;
  for (const auto& i : item.items) d.push_back(i.integer);
  const auto possible = [](std::int64_t size) { return size >= 0 && size < largest_size; };
  if (std::ranges::all_of(d, possible) && count_of(d) <= most_elements) shapes.push_back(std::move(d));
}

std::vector<dims> tensors_of(const list_item& item) {
  std::vector<dims> all;
  if (is_shape(item)) add_tensor(item, all);
  for (const auto& i : item.items) {
    if (is_shape(i)) add_tensor(i, all);
  }
  return all;
}

// The type of a list of tensors is that of its first one, where the trace records it.
number_type type_of(const list_item& item) {
  if (item.form == kind::text) return number_type_of(item.text);
  return item.items.empty() ? number_type::unknown : type_of(item.items.front());
}

}  // namespace

double count_of(const dims& d) {
  return std::accumulate(d.begin(), d.end(), 1.0, [](double n, std::int64_t size) {
    return n * static_cast<double>(std::max<std::int64_t>(size, 0));
  });
}

std::int64_t saturated_product(std::initializer_list<std::int64_t> sizes) {
  constexpr std::int64_t most = std::int64_t{1} << 60;
  std::int64_t n = 1;
  for (const auto size : sizes) n = size > 0 && n > most / size ? most : n * size;
  return n;
}

dims broadcast(const dims& a, const dims& b) {
  const auto& longer = a.size() >= b.size() ? a : b;
  const auto& shorter = a.size() >= b.size() ? b : a;
  auto out = longer;
  for (std::size_t i = 0; i < shorter.size(); ++i) {
    auto& size = out[longer.size() - 1 - i];
    const auto other = shorter[shorter.size() - 1 - i];
    size = size == 0 || other == 0 ? 0 : std::max(size, other);
  }
  return out;
}

double op_input::elements() const {
  return std::accumulate(tensors.begin(), tensors.end(), 0.0,
                         [](double n, const dims& d) { return n + count_of(d); });
}

op_inputs::op_inputs(const op_call& call) {
  const auto shapes = items_of(call.input_dims);
  const auto types = items_of(call.input_types);
  const auto values = items_of(call.concrete_inputs);
  all_.resize(std::max({shapes.size(), types.size(), values.size()}));
  for (std::size_t i = 0; i < shapes.size(); ++i) all_[i].tensors = tensors_of(shapes[i]);
  for (std::size_t i = 0; i < types.size(); ++i) all_[i].type = type_of(types[i]);
  for (std::size_t i = 0; i < values.size(); ++i) all_[i].value = values[i].text;
  has_values_ = !values.empty();
}

const op_input& op_inputs::at(std::size_t i) const {
  static const op_input absent;
  return i < all_.size() ? all_[i] : absent;
}

bool op_inputs::has_tensor(std::size_t i, std::size_t rank_at_least) const {
  return at(i).tensor() && at(i).tensors.front().size() >= rank_at_least;
}

const dims& op_inputs::dims_of(std::size_t i) const { return at(i).tensors.at(0); }

std::vector<std::int64_t> op_inputs::integers(std::size_t i) const {
  std::vector<std::int64_t> all;
  const auto& text = at(i).value;
  for (const char* c = text.data(); c < text.data() + text.size();) {
    std::int64_t value = 0;
    const auto [end, bad] = std::from_chars(c, text.data() + text.size(), value);
    if (bad == std::errc{} && value > -largest_size && value < largest_size) all.push_back(value);
    c = bad == std::errc{} ? end : c + 1;
  }
  return all;
}

std::optional<std::int64_t> op_inputs::integer(std::size_t i) const {
  const auto all = integers(i);
  return all.size() == 1 ? std::optional(all.front()) : std::nullopt;
}

std::optional<bool> op_inputs::boolean(std::size_t i) const {
  if (at(i).value == "True" || at(i).value == "true") return true;
  if (at(i).value == "False" || at(i).value == "false") return false;
  return std::nullopt;
}

double op_inputs::bytes() const {
  return std::accumulate(all_.begin(), all_.end(), 0.0,
                         [](double sum, const op_input& i) { return sum + i.bytes(); });
}

}  // namespace ridge::trace
