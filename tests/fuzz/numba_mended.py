"""Numba without six of its habits that are not the meaning of a program, so that it can be the oracle for more of
them.

- In functions with closures it drops what nobody uses, divisions that would raise included.
- It refuses `:=` wherever the value is used as well: it makes `$1 = f(); x = $1` one statement and loses `$1`.
- A float beyond the range of an integer becomes anything; here, as in pyk2cu, it becomes the nearest one.
- A signed sum that overflows is undefined; here, as in pyk2cu, it wraps.
- The index of a parallel loop that begins at 0 is uint64, so that -abs(i) is 2**64 - i; here it is int64.
- A closure called with some of its defaults gets the first ones: `def g(a=2, b=1)`, and `g(x)` has b = 2.
"""
import functools
import inspect
import textwrap

from llvmlite import ir as llvm
from numba.core import inline_closurecall, interpreter, ir, typed_passes
from numba.cpython import numbers
from numba.parfors import parfor


def drop_unused_copies(function, *_, **__):
    """Instead of the elimination of dead code: inlined closures go, and what only moves a value."""
    removed = True
    while removed:
        statements = [s for block in function.blocks.values() for s in block.body]
        reads = [s.value if isinstance(s, ir.Assign) else s for s in statements]
        used = {v.name for r in reads for v in ([r] if isinstance(r, ir.Var) else
                                                r.list_vars() if hasattr(r, "list_vars") else [])}
        removed = False
        for block in function.blocks.values():
            keep = [s for s in block.body if not (
                isinstance(s, ir.Assign) and s.target.name not in used and
                (isinstance(s.value, ir.Var) or getattr(s.value, "op", "") in ("make_function", "build_tuple", "phi")))]
            removed |= len(keep) < len(block.body)
            block.body = keep


def keep_temporaries(self):
    """Instead of joining a temporary with the variable that it is stored to."""
    block = self.current_block
    block.body = [s for s in block.body if not (isinstance(s, ir.Assign) and s.target.is_temp and
                                                s.target.name in self.assigner.unused_dests)]


def saturate(context, builder, fromty, toty, val):
    wanted = context.get_value_type(toty)
    name = f"llvm.fpto{'s' if toty.signed else 'u'}i.sat"
    function = builder.module.declare_intrinsic(name, (wanted, val.type), ir.FunctionType(wanted, [val.type]))
    return builder.call(function, [val])


def arguments_with_last_defaults(call, callee, loc, func_ir, original=inline_closurecall._get_callee_args):
    """The original puts all defaults behind the arguments that are given; what is too much is at the end."""
    arguments = original(call, callee, loc, func_ir)
    code = getattr(callee, "code", None)
    if code is None or call.op != "call":
        return arguments
    given = len(call.args)
    return arguments[:given] + arguments[len(arguments) - (code.co_argcount - given):]


@functools.cache  # once
def signed_index_of_parallel_loops():
    run = parfor.ConvertLoopPass.run
    text = textwrap.dedent(inspect.getsource(run))
    assert text.count("isinstance(start, int) and start >= 0") == 1
    made = {}
    exec(text.replace("isinstance(start, int) and start >= 0", "False"), vars(parfor), made)
    run.__code__ = made["run"].__code__


def mend():
    signed_index_of_parallel_loops()
    inline_closurecall._get_callee_args = arguments_with_last_defaults
    inline_closurecall.dead_code_elimination = typed_passes.dead_code_elimination = drop_unused_copies
    interpreter.Interpreter._remove_unused_temporaries = keep_temporaries
    numbers.float_to_integer.__code__ = saturate.__code__
    numbers._int_arith_flags = lambda rettype: []


assert numbers.ir is llvm  # `saturate` runs with the names of that module
