// SPDX-License-Identifier: Apache-2.0
#include "api/fields.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include <ridge/base/result.hpp>
#include <ridge/base/text.hpp>

namespace ridge::app_serve {
namespace {

using ordered = nlohmann::ordered_json;
using server::schema;
using server::value_type;

constexpr std::string_view parameter_name = "fields";

// The members that were asked for, and of each those below it; without any, the whole value.
struct chosen_members {
  std::map<std::string, chosen_members, std::less<>> below{};
};

const schema& element_of(const schema& shape) {
  return shape.type == value_type::array && !shape.items.empty() ? element_of(shape.items.front()) : shape;
}

error no_such_field(std::string_view path, std::string_view name, const schema& shape) {
  std::vector<std::string> known;
  for (const auto& member : shape.members) known.push_back(member.name);
  if (known.empty())
    return {"there is no field \"" + std::string(path) + "\"", "it has no members to choose from"};
  const auto near = nearest_name(name, known);
  return {"there is no field \"" + std::string(path) + "\"",
          (near ? "did you mean " + *near + "? " : "") + "Known are " + join(known, ", ")};
}

// Adds the members that a path names: "axes.n".
result<void> add(chosen_members& all, std::string_view path, const schema& item) {
  auto* place = &all;
  const auto* shape = &item;
  bool is_declared = true;  // what is below an object that may hold anything is taken as it comes
  for (const auto name : split(path, '.')) {
    if (is_declared) {
      shape = &element_of(*shape);
      const auto found = std::ranges::find(shape->members, name, &server::schema_member::name);
      const bool may_hold_it = shape->open || shape->type == value_type::anything;
      if (name.empty() || (found == shape->members.end() && !may_hold_it))
        return no_such_field(path, name, *shape);
      is_declared = found != shape->members.end();
      if (is_declared) shape = &found->shape;
    }
    place = &place->below[std::string(name)];
  }
  return {};
}

result<chosen_members> chosen_of(std::string_view text, const schema& item) {
  chosen_members all;
  for (const auto part : split(text, ','))
    if (const auto added = add(all, trim(part), item); !added) return added.why();
  return all;
}

ordered reduced(const ordered& value, const chosen_members& chosen) {
  if (chosen.below.empty()) return value;
  if (value.is_array()) {
    auto made = ordered::array();
    for (const auto& element : value) made.push_back(reduced(element, chosen));
    return made;
  }
  if (!value.is_object()) return value;
  auto made = ordered::object();
  for (const auto& [name, member] : value.items())
    if (const auto found = chosen.below.find(name); found != chosen.below.end())
      made[name] = reduced(member, found->second);
  return made;
}

server::response with_fields_of(const server::request& asked, const schema& item,
                                const std::function<server::response(const server::request&)>& answer) {
  const auto text = query_value(asked, parameter_name).value_or("");
  if (text.empty() && !query_value(asked, parameter_name)) return answer(asked);
  auto plain = asked;
  std::erase_if(plain.query, [](const auto& one) { return one.name == parameter_name; });
  if (text.empty()) return answer(plain);
  const auto chosen = chosen_of(text, item);
  if (!chosen) return server::problem(400, chosen.why());
  auto made = answer(plain);
  if (made.status != 200) return made;
  auto document = ordered::parse(made.body);
  document["items"] = reduced(document.at("items"), *chosen);
  made.body = document.dump();
  return made;
}

const schema* item_of(const schema& shape) {
  const auto items = std::ranges::find(shape.members, "items", &server::schema_member::name);
  if (items == shape.members.end() || items->shape.items.empty()) return nullptr;
  return &items->shape.items.front();
}

}  // namespace

server::route with_fields(server::route list) {
  const auto* item = item_of(list.answer_shape);
  if (item == nullptr) return list;
  list.parameters.push_back(
      {.name = std::string(parameter_name),
       .description = "only these members of each item, with commas between them: id,axes.n",
       .may_be_empty = true});
  list.answer = [item = *item, answer = std::move(list.answer)](const server::request& asked) {
    return with_fields_of(asked, item, answer);
  };
  return list;
}

}  // namespace ridge::app_serve
