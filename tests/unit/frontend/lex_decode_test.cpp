// From bytes to text: byte order marks, encoding cookies, what cannot be decoded.
#include <doctest/doctest.h>

#include "frontend/parse/parser.h"

namespace pyk2cu {
namespace {

struct Read {
  std::string text, message;
};

Read read(std::string_view bytes) {
  SourceMap map;
  Diagnostics diags;
  const std::string text = frontend::add_source(map, "a.py", bytes, diags).text;
  if (diags.all().empty()) return {text, ""};
  CHECK(diags.all().front().code == 1003);
  return {text, diags.all().front().message};
}

}  // namespace

TEST_CASE("files are decoded by their cookie") {
  const struct {
    std::string_view bytes, text;
  } rows[] = {
      {"x = 1\n", "x = 1\n"},
      {"\xEF\xBB\xBFx = 1\n", "x = 1\n"},
      {"# coding: latin-1\n\xE9", "# coding: latin-1\n\u00E9"},
      {"#!python\n# -*- coding: cp1252 -*-\n\x80", "#!python\n# -*- coding: cp1252 -*-\n\u20AC"},
      {"# vim: fileencoding=iso-8859-15 :\r\n\xA4", "# vim: fileencoding=iso-8859-15 :\r\n\u20AC"},
      {"# coding=koi8-r\n\xC1\xE1", "# coding=koi8-r\n\u0430\u0410"},
      {"x = 1\n# coding: latin-1\n\xC3\xA9", "x = 1\n# coding: latin-1\n\u00E9"},  // not in line 2
      {"# coding: UTF_8\n\xC3\xA9", "# coding: UTF_8\n\u00E9"},
  };
  for (const auto& row : rows) {
    const Read got = read(row.bytes);
    CHECK(got.text == row.text);
    CHECK(got.message == "");
  }
}

TEST_CASE("what cannot be decoded is said, and replaced") {
  CHECK(read("a\xFF"
             "b")
            .text ==
        "a\uFFFD"
        "b");
  CHECK(read("a\xFF").message == "(unicode error) 'utf-8' codec can't decode byte 0xff");
  CHECK(read("# coding: ascii\n\xE9").message ==
        "(unicode error) 'ascii' codec can't decode byte 0xe9");
  CHECK(read("# coding: cp1252\n\x81").message ==
        "(unicode error) 'cp1252' codec can't decode byte 0x81");
  CHECK(read("# coding: klingon\n").message == "unknown encoding: klingon");
  CHECK(read("\xEF\xBB\xBF# coding: latin-1\n").message == "encoding problem: latin-1 with BOM");
}

TEST_CASE("a tree refuses text that is not UTF-8, and text with NUL bytes") {
  SourceMap map;
  Diagnostics diags;
  frontend::parse(map.add("a.py", "x = '\xFF'\n"), diags);
  frontend::parse(map.add("b.py", std::string("x = 1\ny\0 = 2\n", 13)), diags);
  REQUIRE(diags.all().size() == 2);
  CHECK(diags.all()[0].code == 1003);
  CHECK(diags.all()[1].code == 1004);
}

}  // namespace pyk2cu
