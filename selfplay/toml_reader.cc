#include "selfplay/toml_reader.h"

#include <toml++/toml.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <utility>

#include "engine/core/text.h"

namespace berd {

struct TomlReader::Document {
  std::string name;
  toml::table root;
  std::string table_name;
  toml::table* table = nullptr;
  // Keys asked for, by table.
  std::map<std::string, std::set<std::string>> known;
  // Assignments given to Override, by table and key.
  std::map<std::string, std::map<std::string, std::string>> settings;
  std::optional<Error> error;

  // Of a key of a table, or with key "" of the table itself.
  std::string PlaceOf(const std::string& table_of_key, const std::string& key,
                      const toml::node& node) const {
    const auto line = node.source().begin.line;
    if (const auto set = settings.find(table_of_key); set != settings.end()) {
      const auto assignment = set->second.find(key);
      if (assignment != set->second.end()) return "setting " + Quoted(assignment->second);
      // A table that only settings have made.
      if (key.empty() && line == 0) return "setting " + Quoted(set->second.begin()->second);
    }
    return line == 0 ? name : name + ":" + std::to_string(line);
  }

  void Complain(const std::string& message) {
    if (!error) error = Error{message};
  }

  const toml::node* Find(std::string_view key) {
    known[table_name].insert(std::string(key));
    return table == nullptr ? nullptr : table->get(key);
  }

  void WrongType(const toml::node& node, std::string_view key, const std::string& wanted) {
    Complain(PlaceOf(table_name, std::string(key), node) + ": " + Quoted(key) + " in [" +
             table_name + "] must be " + wanted);
  }
};

namespace {

template <class Number>
std::string Spell(Number number) {
  std::ostringstream text;
  text << number;
  return text.str();
}

template <class Number>
std::string RangeText(const char* kind, Number low, Number high) {
  return std::string(kind) + " from " + Spell(low) + " to " + Spell(high);
}

std::optional<double> RealIn(const toml::node* node, double low, double high) {
  if (node == nullptr || !node->is_number()) return std::nullopt;
  const auto value = node->value<double>();
  if (!value || !(*value >= low && *value <= high)) return std::nullopt;
  return value;
}

std::optional<std::int64_t> IntegerIn(const toml::node* node, std::int64_t low, std::int64_t high) {
  if (node == nullptr || !node->is_integer()) return std::nullopt;
  const std::int64_t value = node->as_integer()->get();
  if (value < low || value > high) return std::nullopt;
  return value;
}

}  // namespace

TomlReader::TomlReader(std::unique_ptr<Document> document) : document_(std::move(document)) {}
TomlReader::TomlReader(TomlReader&&) noexcept = default;
TomlReader& TomlReader::operator=(TomlReader&&) noexcept = default;
TomlReader::~TomlReader() = default;

Result<TomlReader> TomlReader::Open(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return Fail(path + ": cannot be opened");
  std::ostringstream text;
  // Copying nothing would count as a failure: an empty file is left out.
  if (file.peek() != std::ifstream::traits_type::eof()) text << file.rdbuf();
  if (file.bad() || !text) return Fail(path + ": cannot be read");
  return FromText(text.str(), path);
}

Result<TomlReader> TomlReader::FromText(std::string_view text, std::string name) {
  auto document = std::make_unique<Document>();
  document->name = std::move(name);
  try {
    document->root = toml::parse(text, document->name);
  } catch (const toml::parse_error& error) {
    return Fail(document->name + ":" + std::to_string(error.source().begin.line) + ": " +
                std::string(error.description()));
  }
  return TomlReader(std::move(document));
}

Result<void> TomlReader::Override(std::string_view assignment) {
  const auto equals = assignment.find('=');
  const auto dot = assignment.substr(0, equals).find('.');
  if (equals == std::string_view::npos || dot == std::string_view::npos) {
    return Fail("setting " + Quoted(assignment) +
                " is not <table>.<key>=<value>, as in 'selfplay.games=1000'");
  }
  const std::string table(assignment.substr(0, dot));
  const std::string key(assignment.substr(dot + 1, equals - dot - 1));
  const std::string value(assignment.substr(equals + 1));
  toml::table parsed;
  try {
    parsed = toml::parse("value = " + value);
  } catch (const toml::parse_error&) {
    // Words need no quotes on a command line.
    parsed.insert_or_assign("value", value);
  }
  toml::node* node = document_->root.get(table);
  if (node == nullptr) {
    document_->root.insert_or_assign(table, toml::table{});
    node = document_->root.get(table);
  }
  if (!node->is_table()) return Fail("setting " + Quoted(assignment) + ": no such table");
  node->as_table()->insert_or_assign(key, *parsed.get("value"));
  document_->settings[table][key] = assignment;
  return {};
}

void TomlReader::Table(std::string_view name) {
  document_->table_name = name;
  document_->known[document_->table_name];
  toml::node* node = document_->root.get(name);
  document_->table = node == nullptr ? nullptr : node->as_table();
  if (node != nullptr && document_->table == nullptr) {
    document_->Complain(document_->PlaceOf(document_->table_name, "", *node) + ": " + Quoted(name) +
                        " must be a table [" + std::string(name) + "]");
  }
}

void TomlReader::Read(std::string_view key, std::string* value) {
  const toml::node* node = document_->Find(key);
  if (node == nullptr) return;
  if (!node->is_string()) return document_->WrongType(*node, key, "a text in quotes");
  *value = node->as_string()->get();
}

void TomlReader::Read(std::string_view key, bool* value) {
  const toml::node* node = document_->Find(key);
  if (node == nullptr) return;
  if (!node->is_boolean()) return document_->WrongType(*node, key, "true or false");
  *value = node->as_boolean()->get();
}

void TomlReader::Read(std::string_view key, std::int64_t* value, std::int64_t low,
                      std::int64_t high) {
  const toml::node* node = document_->Find(key);
  if (node == nullptr) return;
  const auto number = IntegerIn(node, low, high);
  if (!number) return document_->WrongType(*node, key, RangeText("a whole number", low, high));
  *value = *number;
}

void TomlReader::Read(std::string_view key, double* value, double low, double high) {
  const toml::node* node = document_->Find(key);
  if (node == nullptr) return;
  const auto number = RealIn(node, low, high);
  if (!number) return document_->WrongType(*node, key, RangeText("a number", low, high));
  *value = *number;
}

void TomlReader::Read(std::string_view key, double* start, double* end, double low, double high) {
  const toml::node* node = document_->Find(key);
  if (node == nullptr) return;
  if (const auto* list = node->as_array(); list != nullptr && list->size() == 2) {
    const auto first = RealIn(list->get(0), low, high);
    const auto last = RealIn(list->get(1), low, high);
    if (first && last) {
      *start = *first;
      *end = *last;
      return;
    }
  } else if (const auto number = RealIn(node, low, high)) {
    *start = *end = *number;
    return;
  }
  document_->WrongType(*node, key,
                       RangeText("a number", low, high) + ", or two of them [start, end]");
}

void TomlReader::Read(std::string_view key, std::vector<std::int64_t>* value, std::int64_t low,
                      std::int64_t high) {
  const toml::node* node = document_->Find(key);
  if (node == nullptr) return;
  const std::string wanted = "a list of " + RangeText("whole numbers", low, high);
  const toml::array* list = node->as_array();
  if (list == nullptr) return document_->WrongType(*node, key, wanted);
  std::vector<std::int64_t> numbers;
  for (const auto& item : *list) {
    const auto number = IntegerIn(&item, low, high);
    if (!number) return document_->WrongType(*node, key, wanted);
    numbers.push_back(*number);
  }
  *value = std::move(numbers);
}

std::string TomlReader::Place(std::string_view key) const {
  const toml::node* node = document_->table == nullptr ? nullptr : document_->table->get(key);
  if (node == nullptr) return document_->name;
  return document_->PlaceOf(document_->table_name, std::string(key), *node);
}

Result<void> TomlReader::Finish() {
  const auto views = [](const auto& names) {
    std::vector<std::string_view> list;
    for (const auto& name : names) list.push_back(name);
    return list;
  };
  std::vector<std::string_view> tables;
  for (const auto& entry : document_->known) tables.push_back(entry.first);
  for (const auto& [table_key, node] : document_->root) {
    const std::string table(table_key.str());
    const auto known = document_->known.find(table);
    if (known == document_->known.end()) {
      document_->Complain(document_->PlaceOf(table, "", node) + ": unknown " +
                          (node.is_table() ? "table [" + table + "]" : "key " + Quoted(table)) +
                          DidYouMean(table, tables));
      continue;
    }
    if (!node.is_table()) continue;
    for (const auto& [key, value] : *node.as_table()) {
      const std::string name(key.str());
      if (known->second.count(name) > 0) continue;
      document_->Complain(document_->PlaceOf(table, name, value) + ": unknown key " + Quoted(name) +
                          " in [" + table + "]" + DidYouMean(name, views(known->second)));
    }
  }
  if (document_->error) return tl::unexpected(*document_->error);
  return {};
}

}  // namespace berd
