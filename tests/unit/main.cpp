// The main function of every unit test binary.
//
// In: doctest's command line.  Out: its exit code.
#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>
