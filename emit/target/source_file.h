// What every emitted source file has: marker, includes, namespace, the functions that it needs.
//
// In:   the program, facts, which roots a file holds.  Out: OutputFile.
// openmp.cpp, twin.cpp and cuda.cpp say what differs. Tested by tests/golden.
#pragma once

#include <functional>
#include <string>
#include <unordered_set>
#include <vector>

#include "emit/bundle.h"
#include "emit/print/printer.h"

namespace pyk2cu::emit {

// The roots for which `wanted` holds and every helper that they call, callees first.
std::vector<ir::Function*> functions_of(const ir::Program& program,
                                        const std::function<bool(const ir::Function&)>& wanted);

// The finished file: marker line, includes of what the body uses, the namespace around it.
OutputFile finish(FileContext& body, const std::string& path, FileKind kind,
                  const std::string& what, const std::vector<std::string>& includes);

std::string module_space(const ir::Program& program);  // the namespace of the module
std::string source_name(const ir::Program& program);   // "kernels.py"

// Module-level arrays that these functions read.
void print_globals(FileContext& file, const std::vector<ir::Function*>& functions);
// const pyk::site sites[] = {…};
void print_sites(FileContext& file);

// ---- one per file ------------------------------------------------------------------------------
void print_openmp(FileContext& file, const std::vector<ir::Function*>& functions);
void print_twin(FileContext& file, const std::vector<ir::Function*>& functions);
void print_cuda(FileContext& file, const std::vector<ir::Function*>& functions);
void print_header(FileContext& file);

}  // namespace pyk2cu::emit
