// Every function of pyk/lanes, for who includes this with macros of its own; undone at the end.
//
//   PYK_ONE(name)     of one argument
//   PYK_TWO(name)     of two
//   PYK_ANGLE(name)   of one, with a faster form unless it is rare; PYK_ONE where undefined
//
// Tested by tests/fuzz/vector_math.py, which measures every row.
#if !defined(PYK_ANGLE)
#define PYK_ANGLE(name) PYK_ONE(name)
#endif

PYK_ONE(exp)
PYK_ONE(exp2)
PYK_ONE(expm1)
PYK_ONE(log)
PYK_ONE(log2)
PYK_ONE(log10)
PYK_ONE(log1p)
PYK_ANGLE(sin)
PYK_ANGLE(cos)
PYK_ANGLE(tan)
PYK_ONE(asin)
PYK_ONE(acos)
PYK_ONE(atan)
PYK_ONE(sinh)
PYK_ONE(cosh)
PYK_ONE(tanh)
PYK_ONE(erf)
PYK_ONE(erfc)
PYK_ONE(tgamma)
PYK_ONE(cbrt)
PYK_TWO(atan2)
PYK_TWO(pow)
PYK_TWO(hypot)

#undef PYK_ONE
#undef PYK_TWO
#undef PYK_ANGLE
