# cmake -DROOT=<runtime_headers> -DOUT=<file.cpp> -P embed_headers.cmake
# Writes a .cpp that holds every runtime header as a string, so that the compiler is one file.
file(GLOB_RECURSE headers RELATIVE ${ROOT} ${ROOT}/pyk/*.h)
list(SORT headers)
set(body "")
foreach(header ${headers})
  file(READ ${ROOT}/${header} text)
  # String literals longer than 64 KiB are not portable: split at 12,000 characters.
  string(LENGTH "${text}" length)
  set(at 0)
  set(pieces "")
  while(at LESS length)
    string(SUBSTRING "${text}" ${at} 12000 piece)
    string(APPEND pieces "R\"PYK_HEADER(${piece})PYK_HEADER\"\n")
    math(EXPR at "${at} + 12000")
  endwhile()
  string(APPEND body "    {\"${header}\", ${pieces}\"\"},\n")
endforeach()
file(WRITE ${OUT}.new "// Made from runtime_headers/ by cmd/cmake/embed_headers.cmake.
#include \"cmd/pyk2cu/headers.h\"
namespace pyk2cu::cmd {
namespace {
constexpr EmbeddedFile kFiles[] = {
${body}};
}
std::span<const EmbeddedFile> runtime_headers() { return kFiles; }
}  // namespace pyk2cu::cmd
")
file(COPY_FILE ${OUT}.new ${OUT} ONLY_IF_DIFFERENT)
