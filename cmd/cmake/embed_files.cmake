# cmake -DROOT=<folder> -DGLOB=<pattern> -DNAME=<function> -DOUT=<file.cpp> -P embed_files.cmake
# Writes a .cpp that holds every file of ROOT that matches GLOB as a string, so that the compiler
# is one file. The strings come back from NAME(), which cmd/pyk2cu/embedded.h declares.
file(GLOB_RECURSE files RELATIVE ${ROOT} ${ROOT}/${GLOB})
list(SORT files)
set(body "")
foreach(file ${files})
  file(READ ${ROOT}/${file} text)
  # String literals longer than 64 KiB are not portable: split at 12,000 characters.
  string(LENGTH "${text}" length)
  set(at 0)
  set(pieces "")
  while(at LESS length)
    string(SUBSTRING "${text}" ${at} 12000 piece)
    string(APPEND pieces "R\"PYK_FILE(${piece})PYK_FILE\"\n")
    math(EXPR at "${at} + 12000")
  endwhile()
  string(APPEND body "    {\"${file}\", ${pieces}\"\"},\n")
endforeach()
get_filename_component(folder ${ROOT} NAME)
file(WRITE ${OUT}.new "// Made from ${folder}/ by cmd/cmake/embed_files.cmake.
#include \"cmd/pyk2cu/embedded.h\"
namespace pyk2cu::cmd {
namespace {
constexpr EmbeddedFile kFiles[] = {
${body}};
}
std::span<const EmbeddedFile> ${NAME}() { return kFiles; }
}  // namespace pyk2cu::cmd
")
file(COPY_FILE ${OUT}.new ${OUT} ONLY_IF_DIFFERENT)
