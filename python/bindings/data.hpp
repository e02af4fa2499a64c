// Structs as Python's data: what they are called and hold, compared by value, pickled.
//
//   Data<Block>(module, "Block", "...").field("owner", &Block::owner).field("index", &Block::index);
//
//   >>> block                        Block(owner=0, index=6)
//   >>> block == Block(0, 6)         True
//   >>> pickle.loads(pickle.dumps(block)) == block
#pragma once

#include <nanobind/nanobind.h>

#include <concepts>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace rota {

/// As a key: with tuples in place of lists.
inline nanobind::object hashable(nanobind::handle value) {
  if (!nanobind::isinstance<nanobind::list>(value) && !nanobind::isinstance<nanobind::tuple>(value))
    return nanobind::borrow(value);
  nanobind::list parts;
  for (const nanobind::handle part : value) parts.append(hashable(part));
  return nanobind::tuple(parts);
}

/// Compared by `are_equal`; `values` has a tuple of Python's, the same where they are.
template <class T, class... Bases, class AreEqual, class Values>
void compare_by(nanobind::class_<T, Bases...>& bound, AreEqual are_equal, Values values) {
  bound
      .def(
          "__eq__", [are_equal](const T& left, const T& right) -> bool { return are_equal(left, right); },
          nanobind::is_operator(), nanobind::sig("def __eq__(self, other: object, /) -> bool"))
      .def("__hash__", [values](const T& self) { return nanobind::hash(hashable(values(self))); });
}

/// Compared by a tuple of Python's that has all there is to it.
template <class T, class... Bases, class Values>
void compare_by_value(nanobind::class_<T, Bases...>& bound, Values values) {
  compare_by(
      bound, [values](const T& left, const T& right) { return values(left).equal(values(right)); }, values);
}

/// A class of Python's with a struct's fields, in the order in which it is told of them; those of its bases
/// too.
template <class T, class... Bases>
class Data {
 public:
  Data(nanobind::module_& module, const char* name, const char* doc) : class_(module, name, doc) {
    define_repr(name);
    define_comparison();
    define_pickling(name);
  }

  /// A field that Python sees as it is.
  template <class Member>
  Data& field(const char* name, Member T::* member, const char* doc = nullptr) {
    return field(
        name, [member](const T& self) { return self.*member; },
        [member](T& self, Member value) { self.*member = std::move(value); }, doc);
  }

  /// One that Python sees as `get` has it, and that `set` takes back.
  template <class Get, class Set>
  Data& field(const char* name, Get get, Set set, const char* doc = nullptr) {
    if (doc == nullptr) {
      class_.def_prop_ro(name, get);
    } else {
      class_.def_prop_ro(name, get, doc);
    }
    return value(name, get, set);
  }

  /// One whose attribute is defined elsewhere; `get` and `set` as above.
  template <class Get, class Set>
  Data& value(const char* name, Get get, Set set) {
    using Value = decltype(get(std::declval<const T&>()));
    fields_->push_back({name, [get](const T& self) { return nanobind::cast(get(self)); },
                        [set](T& self, nanobind::handle value) { set(self, nanobind::cast<Value>(value)); }});
    return *this;
  }

  /// What Python does not see: where it is there, nothing is pickled.
  template <class Pointer>
  Data& hidden(Pointer T::* member) {
    hidden_->push_back([member](const T& self) { return self.*member != nullptr; });
    return *this;
  }

  /// The class itself, for what else it can do.
  nanobind::class_<T, Bases...>& itself() { return class_; }

 private:
  struct Field {
    const char* name;
    std::function<nanobind::object(const T&)> get;
    std::function<void(T&, nanobind::handle)> set;
  };
  using Fields = std::vector<Field>;
  using Hidden = std::vector<std::function<bool(const T&)>>;

  static nanobind::tuple values(const T& self, const Fields& fields) {
    nanobind::list values;
    for (const Field& each : fields) values.append(each.get(self));
    return nanobind::tuple(values);
  }

  void define_repr(const char* name) {
    class_.def("__repr__", [fields = fields_, name](nanobind::handle_t<T> self) {
      std::string text;
      for (const Field& each : *fields) {
        text += text.empty() ? "" : ", ";
        text += each.name;
        text += "=";
        text += nanobind::cast<std::string>(nanobind::repr(self.attr(each.name)));
      }
      return std::string(name) + "(" + text + ")";
    });
  }

  /// What is equal to C++ shows Python equal fields.
  void define_comparison() {
    const auto shown = [fields = fields_](const T& self) { return values(self, *fields); };
    if constexpr (std::equality_comparable<T>) {
      compare_by(class_, std::equal_to<T>(), shown);
    } else {
      compare_by_value(class_, shown);
    }
  }

  void define_pickling(const char* name) {
    class_
        .def("__getstate__",
             [fields = fields_, hidden = hidden_, name](const T& self) {
               for (const auto& is_there : *hidden) {
                 if (!is_there(self)) continue;
                 const std::string what = "this " + std::string(name) + " holds more than can be pickled";
                 throw nanobind::type_error(what.c_str());
               }
               return values(self, *fields);
             })
        .def("__setstate__", [fields = fields_](T& self, const nanobind::tuple& state) {
          if (state.size() != fields->size()) throw nanobind::value_error("a state of other fields");
          new (&self) T{};
          for (std::size_t i = 0; i < state.size(); ++i) (*fields)[i].set(self, state[i]);
        });
  }

  nanobind::class_<T, Bases...> class_;
  std::shared_ptr<Fields> fields_ = std::make_shared<Fields>();
  std::shared_ptr<Hidden> hidden_ = std::make_shared<Hidden>();
};

}  // namespace rota
