// What every emitted source file has: marker, includes, namespace, the functions that it needs.
//
// In:   lowered programs, which roots a file holds.  Out: OutputFile.
// host.cpp and cuda.cpp say what differs. Tested by tests/golden.
#pragma once

#include <functional>
#include <string>
#include <unordered_set>
#include <vector>

#include "emit/bundle.h"
#include "emit/print/printer.h"

namespace pyk2cu::emit {

using Functions = std::vector<const ir::Function*>;

// The roots for which `wanted` holds and every helper that they call, callees first; and those
// roots among what they call for which `copied` holds.
using Wanted = std::function<bool(const ir::Function&)>;
Functions functions_of(const ir::Program& program, const Wanted& wanted, const Wanted& copied);

// The finished file: marker line, includes of what the body uses, the namespace around it.
OutputFile finish(FileContext& body, const std::string& path, FileKind kind,
                  const std::string& what, const std::vector<std::string>& includes);

std::string module_space(const ir::Program& program);  // the namespace of the module
std::string source_name(const ir::Program& program);   // "kernels.py"

// Module-level arrays that these functions read.
void print_globals(FileContext& file, const Functions& functions);
// `static const double table_items` -> static const double table_items[] = {0.5, 1.0};
std::string items_of(const ir::GlobalArray& array, const std::string& declared);
// The names of sites, for the header; the table, for one source file.
void print_site_names(FileContext& file);
void print_sites(FileContext& file);

// ---- one per file ------------------------------------------------------------------------------
// Functions for the CPU, twins of kernels too, and what makes their templates instances.
void print_host(FileContext& file, const Functions& functions);
// The functions that choose among the bodies of these roots.
void print_drivers(FileContext& file, const Functions& roots);
void print_cuda(FileContext& file, const Functions& functions);
// Declarations of the roots.
void print_roots(FileContext& file);

// What is called before it is defined, and not declared in the header: recursion, say.
std::unordered_set<const ir::Function*> called_early(const FileContext& file,
                                                     const Functions& functions);

}  // namespace pyk2cu::emit
