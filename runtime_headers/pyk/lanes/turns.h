// How many turns an angle is, and what is left: angles of float64 of any size.
//
// 2**(16*g) / (2*pi), without its whole turns, in four parts for each g: the products with a whole
// number need no bits of 1 / (2*pi) that lie before them (Payne and Hanek). The parts of several
// angles are read side by side; all of them lie in 2 KiB.
// Tested by tests/fuzz/vector_math.py and tests/run/test_lanes.py.
#pragma once

#include "pyk/lanes/bits.h"

namespace pyk::lanes::detail {

static constexpr double kTurns[4][64] = {
    {0x1.45f306dc9c883p-3,  0x1.836e4e44152a0p-2,  -0x1.b1bbead603d8bp-2, 0x1.529fc2757d1f5p-6,
     0x1.fc2757d1f534ep-2,  -0x1.505c1596447e5p-3, 0x1.f534ddc0db629p-2,  0x1.bb81b6c52b328p-3,
     0x1.b6c52b3278872p-3,  -0x1.6a66c3bc6fbe0p-2, 0x1.3c439041fe516p-2,  -0x1.bef806ba71508p-4,
     0x1.fe5163abdebbcp-2,  0x1.63abdebbc561bp-2,  -0x1.0a21d4f246dc9p-5, -0x1.d4f246dc8e2dfp-5,
     0x1.b7246e3a424ddp-2,  0x1.b8e909374b802p-4,  -0x1.bdb22d1ff9b6dp-2, 0x1.d2e006492eea1p-2,
     0x1.924bba8274648p-8,  0x1.2eea09d1921d0p-2,  -0x1.f62e6de301e21p-2, 0x1.921cfe1deb1cbp-2,
     0x1.fc3bd63962535p-3,  0x1.eb1cb129a73efp-2,  0x1.62534e7dd1047p-3,  0x1.a73ee88235f53p-2,
     -0x1.177dca0ad144cp-2, -0x1.ca0ad144bb7b1p-2, 0x1.2ebb4484e99c7p-2,  -0x1.76f62cc71fb29p-3,
     0x1.d338e04d68bf0p-3,  0x1.c09ad17df904ep-4,  -0x1.4ba081bec66e3p-2, -0x1.037d8cdc538d0p-3,
     0x1.3991d63983534p-2,  0x1.d639835339f4ap-2,  0x1.835339f49c846p-2,  -0x1.8c16c6f740e88p-3,
     0x1.3908bf177bf25p-3,  0x1.7e2ef7e4a0ec8p-4,  -0x1.081b5f13801dap-4, 0x1.283b1ff897ffep-2,
     -0x1.c00ed00043f4dp-3, 0x1.2fffbc0b301fep-3,  -0x1.0fd33f8086877p-5, 0x1.980fef2f118b6p-2,
     -0x1.0d0ee74a5f593p-6, -0x1.dce94beb25c12p-3, -0x1.4beb25c125930p-3, -0x1.92e092c98130ep-2,
     -0x1.25930261b069fp-3, -0x1.8130d834f648bp-2, -0x1.b069ec9161738p-3, -0x1.ec9161738132cp-3,
     -0x1.61738132c3403p-3, -0x1.c09961a015d29p-2, -0x1.61a015d28ad84p-2, -0x1.5d28ad8453814p-6},
    {-0x1.6b01ec5417056p-57, -0x1.ec54170565912p-57, 0x1.f47d4d377036ep-56,
     0x1.a6ee06db14acdp-61,  -0x1.1f924eb53361ep-57, 0x1.b14acc9e21c82p-57,
     0x1.664f10e4107f9p-56,  -0x1.de37df00d74e3p-57, 0x1.07f9458eaf7afp-60,
     -0x1.ae9c5421443aap-58, 0x1.d5ef5de2b0db9p-57,  -0x1.443a9e48db91cp-58,
     0x1.586dc91b8e909p-56,  0x1.c91b8e909374cp-56,  0x1.d2126e9700325p-61,
     0x1.374b801924bbbp-60,  0x1.700324977504fp-57,  -0x1.b6d115f62e6dep-58,
     -0x1.15f62e6de301ep-58, -0x1.8b9b78c078854p-56, 0x1.cfe1deb1cb12ap-62,
     -0x1.e214e34ed658cp-58, -0x1.38d3b5963045ep-56, 0x1.29a73ee88235fp-58,
     -0x1.822efb9415a29p-59, -0x1.df7282b4512eep-56, -0x1.0568a25dbd8b3p-57,
     -0x1.44bb7b16638fep-58, 0x1.213a671c09ad1p-56,  -0x1.98e3f652e8207p-56,
     0x1.35a2fbf209cc9p-61,  -0x1.d040df633714ep-57, -0x1.bec66e29c67cbp-58,
     0x1.91d639835339fp-58,  0x1.8e60d4ce7d272p-56,  0x1.a99cfa4e422fcp-57,
     -0x1.82d8dee81d108p-56, -0x1.bdd03a21036bep-57, -0x1.d1081b5f13802p-60,
     -0x1.036be27003b40p-57, 0x1.d8ffc4bffef03p-61,  -0x1.da00087e99fc0p-64,
     -0x1.0fd33f8086877p-69, -0x1.fa67f010d0ee7p-58, 0x1.fde5e2316b415p-63,
     -0x1.a1dce94beb25cp-59, -0x1.d297d64b824b2p-60, -0x1.7d64b824b2605p-56,
     0x1.f6d367ecf27cbp-62,  -0x1.64c0986c1a7b2p-57, -0x1.30d834f648b0cp-58,
     0x1.f2c26dd3d18fep-56,  0x1.b74f463f669e6p-58,  -0x1.738132c3402bap-59,
     -0x1.32c3402ba515bp-59, -0x1.a015d28ad8454p-58, 0x1.16ba93dd63f5fp-57,
     0x1.49eeb1faf97c6p-56,  -0x1.4e050683a130cp-56, -0x1.a0e84c2f8c608p-62},
    {-0x1.6447e493ad4cep-111, 0x1.b6c52b3278872p-115,  -0x1.d6a66c3bc6fbep-110,
     -0x1.8778df7c035d4p-115, 0x1.c820ff28b1d5fp-113,  0x1.fe5163abdebbcp-114,
     0x1.163abdebbc562p-110,  0x1.7bd778ac36e49p-111,  -0x1.d4f246dc8e2dfp-117,
     0x1.b7246e3a424ddp-114,  0x1.1b8e909374b80p-112,  -0x1.6f6c8b47fe6dbp-112,
     0x1.ba5c00c925dd4p-111,  -0x1.ff9b6d115f62ep-110, -0x1.a22bec5cdbc60p-115,
     -0x1.f62e6de301e21p-114, -0x1.cdbc603c429c7p-111, -0x1.80f10a71a76b3p-113,
     -0x1.0a71a76b2c609p-113, 0x1.cb129a73ee882p-110,  -0x1.63045df7282b4p-116,
     -0x1.177dca0ad144cp-114, 0x1.1afa975da2427p-113,  0x1.4baed1213a672p-112,
     0x1.a24274ce38136p-113,  0x1.3a671c09ad17ep-112,  -0x1.c7eca5d040df6p-113,
     0x1.ad17df904e647p-112,  0x1.f7e413991d63ap-110,  0x1.3991d63983534p-114,
     -0x1.4e33e566305b2p-117, -0x1.9f2b3182d8defp-112, 0x1.9cfa4e422fc5ep-113,
     0x1.272117e2ef7e5p-112,  0x1.17e2ef7e4a0ecp-112,  0x1.77bf250763ff1p-111,
     -0x1.b5f13801da001p-112, -0x1.3801da00087eap-112, 0x1.2fffbc0b301fep-115,
     -0x1.0fd33f8086877p-117, -0x1.9fc04343b9d29p-116, -0x1.0d0ee74a5f593p-118,
     -0x1.d297d64b824b2p-124, -0x1.297d64b824b26p-112, -0x1.2e092c98130d8p-118,
     -0x1.25930261b069fp-115, -0x1.8130d834f648bp-114, 0x1.e4f96136e9e8cp-111,
     0x1.36e9e8c7ecd3dp-119,  -0x1.161738132c340p-111, 0x1.8fd9a797fa8b6p-112,
     -0x1.961a015d28ad8p-110, -0x1.5d28ad8453814p-118, -0x1.456c229c0a0d0p-113,
     -0x1.14e050683a131p-116, 0x1.faf97c5ecf41dp-112,  0x1.7c5ecf41ce7dep-112,
     -0x1.30be31821d6b6p-112, 0x1.ce7de294a4baap-112,  -0x1.d6b5b45650128p-116},
    {0x1.e21c820ff28b2p-165,  0x1.07f9458eaf7afp-172,  -0x1.ae9c5421443aap-170,
     0x1.d5ef5de2b0db9p-169,  -0x1.443a9e48db91cp-170, 0x1.586dc91b8e909p-168,
     -0x1.236e4716f6c8bp-164, -0x1.1c5bdb22d1ffap-166, 0x1.374b801924bbbp-172,
     0x1.700324977504fp-169,  0x1.924bba8274648p-168,  -0x1.115f62e6de302p-166,
     0x1.3a32439fc3bd6p-167,  -0x1.b78c0788538d4p-164, -0x1.e214e34ed658cp-170,
     -0x1.38d3b5963045ep-168, 0x1.894d39f74411bp-165,  0x1.cfba208d7d4bbp-168,
     0x1.1046bea5d7689p-167,  0x1.afa975da24275p-165,  -0x1.44bb7b16638fep-170,
     0x1.213a671c09ad1p-168,  0x1.338e04d68befdp-167,  -0x1.fb29741037d8dp-167,
     -0x1.741037d8cdc54p-167, -0x1.bec66e29c67cbp-170, -0x1.9b8a719f2b318p-168,
     0x1.639835339f49dp-166,  -0x1.f2b3182d8dee8p-164, -0x1.82d8dee81d108p-168,
     0x1.08bf177bf2507p-171,  0x1.f8bbdf9283b20p-166,  -0x1.036be27003b40p-169,
     -0x1.7c4e007680022p-166, 0x1.ff897ffde0598p-166,  0x1.7ffde05980fefp-166,
     0x1.e05980fef2f12p-166,  0x1.80fef2f118b5ap-166,  -0x1.a1dce94beb25cp-171,
     -0x1.d297d64b824b2p-172, -0x1.f592e092c9813p-170, 0x1.f6d367ecf27cbp-174,
     -0x1.8130d834f648bp-178, -0x1.30d834f648b0cp-170, -0x1.a7b24585ce04dp-173,
     0x1.b74f463f669e6p-170,  -0x1.738132c3402bap-171, 0x1.fb34f2ff516bbp-165,
     -0x1.00ae9456c229cp-173, -0x1.5d28ad8453814p-166, -0x1.5b08a7028341dp-167,
     -0x1.14e050683a131p-164, -0x1.a0e84c2f8c608p-174, -0x1.d0985f18c10ebp-167,
     0x1.0739f78a5292fp-170,  -0x1.821d6b5b45650p-168, 0x1.4a525d4d7f6bfp-167,
     0x1.2ea6bfb5fb120p-166,  -0x1.404a04ee072a3p-166, -0x1.3b81ca8bdea7fp-172}};

// What whole turns leave of x: -0.5 to 0.5, or, where there is no rint, -1 to 1; of inf any value
PYK_INLINE double fraction_of_turn(double x) {
#if defined(__SSE4_1__) || defined(__aarch64__)
  return x - std::rint(x);
#else
  const double y = magnitude(x) < format_of<double>::whole ? x : 0.0;
  return y - nearest(y);
#endif
}

// x = turns + quadrant / 4 + rest, turns whole; x >= 0. The quadrant modulo 4.
PYK_INLINE twofold<double> turned_by(double x, uint64_t& quadrant) {
  // Row 0 is for what is less than 2**81. By bits: with a condition the row would be a branch.
  const uint64_t past = (bits_as<uint64_t>(x) >> 56) - 68, row = past & ((past >> 63) - 1);
  const double y = bits_as<double>(bits_as<uint64_t>(x) - (row << 56));
  const uint64_t at = row % 64;  // 59 at most: g++ must know that it is in range
  const twofold<double> first_part = two_product(y, kTurns[0][at]);
  const twofold<double> second = two_product(y, kTurns[1][at]);
  const twofold<double> third = two_product(y, kTurns[2][at]);
  const double least = fraction_of_turn(first_part.lo), below = fraction_of_turn(second.hi);
  const double whole = fraction_of_turn(first_part.hi);
  const double turned = (whole + (least + below)) * 4 + format_of<double>::round;
  quadrant = bits_as<uint64_t>(turned);
  const double left = multiply_add(turned - format_of<double>::round, -0.25, whole);
  const twofold<double> a = two_sum(left, least), b = two_sum(a.hi, below);
  const twofold<double> c = two_sum(second.lo, third.hi), sum = two_sum(b.hi, c.hi);
  const double rest = ((a.lo + b.lo) + (c.lo + sum.lo)) + multiply_add(y, kTurns[3][at], third.lo);
  return fast_two_sum(sum.hi, rest);
}

}  // namespace pyk::lanes::detail
