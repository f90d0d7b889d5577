// What <module>.c.cpp needs: structs of C to views and back, statuses as text.
//
//   struct { double *data; int64_t shape[2], strides[2]; }   <->   pyk::array<double, 2, L>
//
// In:   structs and statuses.  Out: arguments of compiled functions, their results, messages.
// Tested by tests/run/test_c_api.py.
#pragma once

#include <stdio.h>
#include <string.h>

#include "pyk/memory.h"
#include "pyk/status.h"

namespace pyk::c {

// Statuses that are no raise site: beside no_memory, argument k does not have the layout of its
// type.
constexpr int32_t bad_layout(int k) { return -2 - k; }

// An argument: becomes the view that the compiled function wants.
template <class S>
struct ref {
  const S& from;

  explicit ref(const S& array) : from(array) {}
  template <class T, int N, class L>
  operator pyk::array<T, N, L>() const {
    pyk::array<T, N, L> to{};
    to.data = reinterpret_cast<T*>(from.data);  // of complex numbers: a struct of our own
    for (int k = 0; k < N; ++k) to.extents[k] = from.shape[k];
    if constexpr (std::is_same_v<L, A>)
      for (int k = 0; k < N; ++k) to.strides[k] = from.strides[k];
    return to;
  }
};

// Do the elements lie as those of a new array of layout L?
template <class L, class S>
bool is_dense(const S& a) {
  constexpr int N = sizeof a.shape / sizeof a.shape[0];
  int64_t stride = sizeof *a.data;
  for (int k = 0; k < N; ++k)
    if (a.shape[k] == 0) return true;
  for (int i = 0; i < N; ++i) {
    const int k = std::is_same_v<L, F> ? i : N - 1 - i;
    if (a.shape[k] != 1 && a.strides[k] != stride) return false;
    stride *= a.shape[k];
  }
  return true;
}

template <class S, class T, int N, class L>
void fill(S& to, const pyk::array<T, N, L>& view) {
  to.data = reinterpret_cast<decltype(to.data)>(const_cast<std::remove_const_t<T>*>(view.data));
  for (int k = 0; k < N; ++k) {
    to.shape[k] = view.extents[k];
    to.strides[k] = view.stride(k);
  }
}
// The owner of the result's memory, or null: it lies in an argument, or is constant.
template <class S, class T, int N, class L>
void* hand_over(S& to, pyk::owned<T, N, L>& result) {
  fill(to, static_cast<const pyk::array<T, N, L>&>(result));
  return result.take();
}
template <class S, class T, int N, class L>
void* hand_over(S& to, const pyk::array<T, N, L>& result) {
  fill(to, result);
  return nullptr;
}

// A kernel's launch.
template <class Launch>
Launch launch_of(const int32_t* grid, const int32_t* block) {
  Launch made{};
  for (int k = 0; k < 3; ++k) {
    made.grid[k] = static_cast<uint32_t>(grid[k]);
    made.block[k] = static_cast<uint32_t>(block[k]);
  }
  return made;
}

// ---- messages ----------------------------------------------------------------------------------
class message {
 public:
  message(char* text, size_t size) : text_(text), size_(size) {
    if (size > 0) text[0] = 0;
  }
  template <class... P>
  void add(const char* format, P... values) {
    const size_t at = used_ < size_ ? used_ : size_;
    const int n = snprintf(size_ ? text_ + at : nullptr, size_ - at, format, values...);
    if (n > 0) used_ += static_cast<size_t>(n);
  }
  void add(const site_arg& arg, bool quoted) {
    switch (arg.kind) {
      case 's':
        return add(quoted ? "'%s'" : "%s", arg.text);
      case 'i':
        return add("%lld", static_cast<long long>(arg.integer));
      case 'u':
        return add("%llu", static_cast<unsigned long long>(arg.integer));
      case 'f':
        return add("%.17g", arg.number);
      case 'b':
        return add("%s", arg.integer != 0 ? "True" : "False");
      default:
        return add("%s", "None");
    }
  }
  size_t size() const { return used_; }

 private:
  char* text_;
  size_t size_, used_ = 0;
};

// The arguments of a site, one after the other.
class site_args {
 public:
  explicit site_args(const site& at) : at_(at) {}
  void add_next(message& out, bool quoted) {
    const site_arg& arg = at_.args[next_++];
    if (arg.kind != 't') {
      const bool at_run_time = arg.kind == 'r' && used_ < raised_args.count;
      return out.add(at_run_time ? raised_args[used_++] : arg, quoted);
    }
    out.add("%s", quoted ? "'" : "");
    for (const char* c = arg.text; *c; ++c) {
      const bool is_place = *c == '{' && c[1] != '{';
      if (!is_place) {
        out.add("%c", *c);
        c += (*c == '{' || *c == '}') && c[1] == *c;
        continue;
      }
      add_next(out, false);  // as it is: C has no formats of Python's
      for (int depth = 1; depth > 0 && c[1]; ++c) {
        if (c[1] == '{') skip_next();  // a width or precision
        depth += c[1] == '{' ? 1 : c[1] == '}' ? -1 : 0;
      }
    }
    out.add("%s", quoted ? "'" : "");
  }

 private:
  void skip_next() { used_ += at_.args[next_++].kind == 'r'; }

  const site& at_;
  int next_ = 0, used_ = 0;
};

// "ValueError: too few points (kernels.py:12, in length)": as snprintf, the length of the whole.
inline size_t explain(const site* sites, int32_t status, char* text, size_t size) {
  message out(text, size);
  if (status == 0) {
    out.add("%s", "no error");
  } else if (status == no_memory.code) {
    out.add("%s", "MemoryError");
  } else if (status < 0) {
    out.add("TypeError: argument %d is not contiguous as its type says", -1 - status);
  } else if (sites) {
    const site& at = sites[status - 1];
    const char* const module_end = strchr(at.exception, ':');
    out.add("%s", module_end ? module_end + 1 : at.exception);
    site_args args{at};
    const int count = argument_count(at);
    out.add("%s", count == 0 ? "" : count == 1 ? ": " : ": (");
    for (int k = 0; k < count; ++k) {
      out.add("%s", k > 0 ? ", " : "");
      args.add_next(out, count > 1);
    }
    out.add("%s (%s:%d, in %s)", count > 1 ? ")" : "", at.file, at.line, at.function);
  }
  return out.size();
}

}  // namespace pyk::c
