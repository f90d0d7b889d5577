// The flags that the build files and --build share, each with its reason.
//
// In:   Options.  Out: lists of flags. Tested by tests/unit/emit/pyext_test.cpp.
#include <fmt/format.h>

#include "emit/project/project.h"

namespace pyk2cu::project {

namespace {

// g++ gathers elements only where it is tuned for processors that are good at it, which the names
// of levels are not.
std::vector<std::string> processor(const std::string& march, bool gathers) {
  if (march.empty()) return {};
  if (march == "x86-64-v3" && gathers) return {"-march=" + march, "-mtune=haswell"};
  if (march == "x86-64-v4" && gathers)
    return {"-march=" + march, "-mtune=icelake-server", "-mprefer-vector-width=512"};
  return {"-march=" + march};
}

}  // namespace

std::vector<std::string> cpu_flags(const emit::Options& options) {
  std::vector<std::string> flags{"-O3",
                                 "-std=c++17",
                                 "-fno-math-errno",
                                 "-fno-trapping-math",
                                 "-ffp-contract=off",
                                 "-fno-strict-aliasing",  // views of arrays as another type
                                 "-fopenmp",
                                 "-fvisibility=hidden"};
  if (options.strict_fp) flags.push_back("-DPYK_SUMS_IN_ORDER");  // pyk/reduce.h
  for (std::string& flag : processor(options.march, true)) flags.push_back(std::move(flag));
  return flags;
}

std::vector<std::string> gcc_flags(const emit::Options& options) {
  std::vector<std::string> flags{
      "-finline-limit=400",  // loops call helpers of some size
      "-fschedule-insns",    // fewer copies in loops of float64
      "-fsched-pressure",
      "-fno-plt",                 // calls of CPython and libm without a second jump
      "-fno-tree-slp-vectorize",  // it drops one of float64(float32(x)) of two neighbours
      "-fno-split-paths",         // a value of two is chosen, not a way
      // Behind a call of a function that needs no vector registers g++ 12 takes their upper halves
      // for empty: without this, libm's functions take ten times as long there.
      "-fno-ipa-ra",
      "-funroll-loops",                           // no copies of what one turn hands to the next
      "--param=logical-op-non-short-circuit=0"};  // `x == a && y == b` as branches
  // Copies of float64 as whole registers, on every processor.
  if (options.march.empty()) flags.push_back("-mtune=generic");
  return flags;
}

std::vector<std::string> file_flags(const emit::OutputFile& file) {
  if (!file.fastmath) return {};
  return {"-fassociative-math", "-fno-signed-zeros", "-freciprocal-math", "-ffp-contract=fast"};
}

std::vector<std::string> x86_64_flags(const emit::OutputFile& file, const emit::Options& options) {
  std::vector<std::string> flags = processor(file.isa, file.gathers);
  const bool may_be_v4 = file.isa == "x86-64-v4" || (file.isa.empty() && !options.march.empty());
  // Of a masked load into half a register of AVX-512, behind a comparison with 0, g++ 12 makes a
  // blend that reads all of the memory, and faults where there is none. Whole registers have no
  // such blend, and halves have the masked loads of AVX2 then.
  if (may_be_v4) flags.push_back("-mno-avx512vl");
  return flags;
}

std::vector<std::string> cuda_flags(const emit::Options& options) {
  const std::vector<std::string> wanted =
      options.arch.empty() ? std::vector<std::string>{"sm_80", "sm_90"} : options.arch;
  std::vector<std::string> flags;
  std::string last;
  for (const std::string& name : wanted) {
    const size_t digits = name.find_first_of("0123456789");
    last = digits == std::string::npos ? name : name.substr(digits);
    if (name.starts_with("compute_"))
      flags.push_back(fmt::format("-gencode=arch=compute_{0},code=compute_{0}", last));
    else
      flags.push_back(fmt::format("-gencode=arch=compute_{0},code=sm_{0}", last));
  }
  if (!wanted.back().starts_with("compute_"))
    flags.push_back(fmt::format("-gencode=arch=compute_{0},code=compute_{0}", last));
  if (options.strict_fp) flags.push_back("-fmad=false");
  return flags;
}

}  // namespace pyk2cu::project
