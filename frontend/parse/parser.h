// The parser: text of one file to its syntax tree, all of CPython 3.13's grammar.
//
// In:   a file of the source map.
// Out:  the tree of what could be read; each mistake is one PK10xx diagnostic, with CPython's
// message
//       where CPython has one, and reading goes on at the next statement.
// Rule: what CPython's ast.parse() accepts is accepted with the same tree, what it rejects is
// rejected
//       on the same line. No input crashes it: nesting is limited (PK1005).
// Tested by tests/unit/frontend/parse_*_test.cpp, tests/run/test_dump_ast.py,
// tests/fuzz/parser_fuzzer.cpp.
#pragma once

#include <string>
#include <string_view>

#include "frontend/ast/ast.h"
#include "frontend/base/source_map.h"
#include "frontend/diag/diagnostics.h"

namespace pyk2cu::frontend {

// Parses one file. Always returns a module (statements that failed are absent); syntax errors are
// PK1xxx in diags.
ast::Module parse(const SourceFile& file, Diagnostics& diags);

// Adds a file to the map from its raw bytes: drops a byte order mark, decodes by the encoding
// cookie (PEP 263). What cannot be decoded is PK1003 in diags, and becomes U+FFFD in the text.
// `name`: SourceFile::name; its path where empty.
const SourceFile& add_source(SourceMap& map, std::string path, std::string_view bytes,
                             Diagnostics& diags, std::string name = {});

}  // namespace pyk2cu::frontend
