// The runtime headers that travel inside the executable, and which of them a bundle needs.
//
// In: emitted text.  Out: files "pyk/…" to put beside it. Made by cmd/cmake/embed_headers.cmake.
#pragma once

#include <span>
#include <string_view>

#include "emit/bundle.h"

namespace pyk2cu::cmd {

struct EmbeddedFile {
  std::string_view path;  // "pyk/array.h"
  std::string_view text;
};

std::span<const EmbeddedFile> runtime_headers();

// Adds every runtime header that the bundle's files include, directly or through one another.
void add_runtime_headers(emit::Bundle& bundle);

}  // namespace pyk2cu::cmd
