// SPDX-License-Identifier: Apache-2.0
#pragma once

// Loops over arrays in assembly, for vector registers named `reg` of `width` bytes; the source of each
// instruction set includes this file. A step takes eight vectors: from one stream, or from two or four places
// a half or a quarter of the array apart, because the prefetcher of one stream does not fill the pipeline of
// memory. They are in assembly, because it matters which loads and stores are in flight together, and the
// order that a compiler chooses differs from version to version.

#define RIDGE_VECTORS(line) ".irp r,0,1,2,3,4,5,6,7\n\t " line "\n\t .endr\n\t"

// An operation with its own address for each register 0 to 7; %[q] is the distance of streams, %[q3] three
// times that.
#define RIDGE_ONE(begin, width, p, end) \
  ".irp r,0,1,2,3,4,5,6,7\n\t " begin #width "*\\r(%[" p "])" end "\n\t .endr\n\t"
#define RIDGE_TWO(begin, width, p, end)                   \
  ".irp r,0,1,2,3\n\t " begin #width "*\\r(%[" p "])" end \
  "\n\t .endr\n\t"                                        \
  ".irp r,4,5,6,7\n\t " begin #width "*(\\r-4)(%[" p "],%[q])" end "\n\t .endr\n\t"
#define RIDGE_FOUR(begin, width, p, end)                         \
  ".irp r,0,1\n\t " begin #width "*\\r(%[" p "])" end            \
  "\n\t .endr\n\t"                                               \
  ".irp r,2,3\n\t " begin #width "*(\\r-2)(%[" p "],%[q])" end   \
  "\n\t .endr\n\t"                                               \
  ".irp r,4,5\n\t " begin #width "*(\\r-4)(%[" p "],%[q],2)" end \
  "\n\t .endr\n\t"                                               \
  ".irp r,6,7\n\t " begin #width "*(\\r-6)(%[" p "],%[q3])" end "\n\t .endr\n\t"

#define RIDGE_LOAD(places, reg, width, p) places("vmovaps ", width, p, ", %%" reg "\\r")
#define RIDGE_COUNT(places, reg, width, p) places("vpaddd ", width, p, ", %%" reg "\\r, %%" reg "\\r")
#define RIDGE_SUM(places, reg, width, p) places("vaddps ", width, p, ", %%" reg "\\r, %%" reg "\\r")
#define RIDGE_SCALED(places, reg, width, p) places("vfmadd231ps ", width, p, ", %%" reg "15, %%" reg "\\r")
#define RIDGE_STORE(places, reg, width, p) places("vmovaps %%" reg "\\r, ", width, p, "")
#define RIDGE_STREAM(places, reg, width, p) places("vmovntps %%" reg "\\r, ", width, p, "")
// Prefetches lines this many bytes ahead.
#define RIDGE_FETCH(places, distance, width, p) places("prefetcht0 " #distance "+", width, p, "")

// One line of each array after the other, as a compiler writes it.
#define RIDGE_COPY_LINES(reg, width)                                                           \
  ".irp r,0,1,2,3,4,5,6,7\n\t vmovaps " #width "*\\r(%[pb]), %%" reg "\\r\n\t vmovntps %%" reg \
  "\\r, " #width "*\\r(%[pa])\n\t .endr\n\t"
#define RIDGE_TRIAD_LINES(reg, width)                                                              \
  ".irp r,0,1,2,3,4,5,6,7\n\t vmovaps " #width "*\\r(%[pb]), %%" reg "\\r\n\t vfmadd231ps " #width \
  "*\\r(%[pc]), %%" reg "15, %%" reg "\\r\n\t vmovntps %%" reg "\\r, " #width "*\\r(%[pa])\n\t .endr\n\t"

#define RIDGE_CLEAR RIDGE_VECTORS("vxorps %%xmm\\r, %%xmm\\r, %%xmm\\r")
#define RIDGE_THREES(reg) RIDGE_VECTORS("vbroadcastss %[three], %%" reg "\\r")
#define RIDGE_SCALE(reg) "vbroadcastss %[three], %%" reg "15\n\t"
#define RIDGE_KEEP_SUMS(reg)                                                            \
  "vpaddd %%" reg "1, %%" reg "0, %%" reg "0\n\t vpaddd %%" reg "3, %%" reg "2, %%" reg \
  "2\n\t"                                                                               \
  "vpaddd %%" reg "5, %%" reg "4, %%" reg "4\n\t vpaddd %%" reg "7, %%" reg "6, %%" reg \
  "6\n\t"                                                                               \
  "vpaddd %%" reg "2, %%" reg "0, %%" reg "0\n\t vpaddd %%" reg "6, %%" reg "4, %%" reg \
  "4\n\t"                                                                               \
  "vpaddd %%" reg "4, %%" reg "0, %%" reg                                               \
  "0\n\t vxorps %%xmm1, %%xmm1, %%xmm1\n\t"                                             \
  "vmovaps %%ymm1, 32(%[a])\n\t vmovaps %%" reg "0, (%[a])\n\t"
#define RIDGE_KEEP_LAST(reg) "vmovaps %%" reg "7, (%[a])\n\t"
#define RIDGE_FENCE "sfence\n\t"

#define RIDGE_ARRAYS(name, streams, width, before, step, after)                                      \
  void name(float* a, const float* b, const float* c, std::size_t elements, std::size_t passes) {    \
    static constexpr float three = 3.0f;                                                             \
    const std::size_t part = elements * sizeof(float) / (streams), part3 = 3 * part;                 \
    float* pa = a;                                                                                   \
    const float *pb = b, *pc = c;                                                                    \
    std::size_t left = 0;                                                                            \
    asm volatile(                                                                                    \
        before                                                                                       \
        "2:\n\t mov %[a], %[pa]\n\t mov %[b], %[pb]\n\t mov %[c], %[pc]\n\t"                         \
        "mov %[q], %[left]\n\t"                                                                      \
        ".p2align 6\n"                                                                               \
        "1:\n\t" step "add $(8*" #width "/" #streams                                                 \
        "), %[pa]\n\t"                                                                               \
        "add $(8*" #width "/" #streams                                                               \
        "), %[pb]\n\t"                                                                               \
        "add $(8*" #width "/" #streams                                                               \
        "), %[pc]\n\t"                                                                               \
        "sub $(8*" #width "/" #streams                                                               \
        "), %[left]\n\t"                                                                             \
        "jnz 1b\n\t"                                                                                 \
        "dec %[passes]\n\t"                                                                          \
        "jnz 2b\n\t" after "vzeroupper\n\t"                                                          \
        : [pa] "+&r"(pa), [pb] "+&r"(pb), [pc] "+&r"(pc), [left] "+&r"(left), [passes] "+&r"(passes) \
        : [a] "r"(a), [b] "r"(b), [c] "r"(c), [q] "r"(part), [q3] "r"(part3), [three] "m"(three)     \
        : "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm15", "cc", "memory");  \
  }

// Everything of one instruction set: the functions and the lists of variants.
#define RIDGE_MEMORY_LOOPS(reg, w)                                                                           \
  RIDGE_ARRAYS(read, 1, w, RIDGE_CLEAR, RIDGE_COUNT(RIDGE_ONE, reg, w, "pb"), RIDGE_KEEP_SUMS(reg))          \
  RIDGE_ARRAYS(read_ahead, 1, w, RIDGE_CLEAR,                                                                \
               RIDGE_FETCH(RIDGE_ONE, 2048, w, "pb") RIDGE_COUNT(RIDGE_ONE, reg, w, "pb"),                   \
               RIDGE_KEEP_SUMS(reg))                                                                         \
  RIDGE_ARRAYS(read_2, 2, w, RIDGE_CLEAR, RIDGE_COUNT(RIDGE_TWO, reg, w, "pb"), RIDGE_KEEP_SUMS(reg))        \
  RIDGE_ARRAYS(read_4, 4, w, RIDGE_CLEAR, RIDGE_COUNT(RIDGE_FOUR, reg, w, "pb"), RIDGE_KEEP_SUMS(reg))       \
  RIDGE_ARRAYS(read_4_ahead, 4, w, RIDGE_CLEAR,                                                              \
               RIDGE_FETCH(RIDGE_FOUR, 1024, w, "pb") RIDGE_COUNT(RIDGE_FOUR, reg, w, "pb"),                 \
               RIDGE_KEEP_SUMS(reg))                                                                         \
  RIDGE_ARRAYS(load, 1, w, "", RIDGE_LOAD(RIDGE_ONE, reg, w, "pb"), RIDGE_KEEP_LAST(reg))                    \
  RIDGE_ARRAYS(write, 1, w, RIDGE_THREES(reg), RIDGE_STORE(RIDGE_ONE, reg, w, "pa"), "")                     \
  RIDGE_ARRAYS(write_4, 4, w, RIDGE_THREES(reg), RIDGE_STORE(RIDGE_FOUR, reg, w, "pa"), "")                  \
  RIDGE_ARRAYS(write_nt, 1, w, RIDGE_THREES(reg), RIDGE_STREAM(RIDGE_ONE, reg, w, "pa"), RIDGE_FENCE)        \
  RIDGE_ARRAYS(write_nt_4, 4, w, RIDGE_THREES(reg), RIDGE_STREAM(RIDGE_FOUR, reg, w, "pa"), RIDGE_FENCE)     \
  RIDGE_ARRAYS(copy, 1, w, "", RIDGE_LOAD(RIDGE_ONE, reg, w, "pb") RIDGE_STORE(RIDGE_ONE, reg, w, "pa"), "") \
  RIDGE_ARRAYS(copy_4, 4, w, "", RIDGE_LOAD(RIDGE_FOUR, reg, w, "pb") RIDGE_STORE(RIDGE_FOUR, reg, w, "pa"), \
               "")                                                                                           \
  RIDGE_ARRAYS(copy_nt, 1, w, "", RIDGE_LOAD(RIDGE_ONE, reg, w, "pb") RIDGE_STREAM(RIDGE_ONE, reg, w, "pa"), \
               RIDGE_FENCE)                                                                                  \
  RIDGE_ARRAYS(copy_nt_ahead, 1, w, "",                                                                      \
               RIDGE_FETCH(RIDGE_ONE, 2048, w, "pb") RIDGE_LOAD(RIDGE_ONE, reg, w, "pb")                     \
                   RIDGE_STREAM(RIDGE_ONE, reg, w, "pa"),                                                    \
               RIDGE_FENCE)                                                                                  \
  RIDGE_ARRAYS(copy_nt_2, 2, w, "",                                                                          \
               RIDGE_LOAD(RIDGE_TWO, reg, w, "pb") RIDGE_STREAM(RIDGE_TWO, reg, w, "pa"), RIDGE_FENCE)       \
  RIDGE_ARRAYS(copy_nt_4, 4, w, "",                                                                          \
               RIDGE_LOAD(RIDGE_FOUR, reg, w, "pb") RIDGE_STREAM(RIDGE_FOUR, reg, w, "pa"), RIDGE_FENCE)     \
  RIDGE_ARRAYS(copy_nt_4_ahead, 4, w, "",                                                                    \
               RIDGE_FETCH(RIDGE_FOUR, 1024, w, "pb") RIDGE_LOAD(RIDGE_FOUR, reg, w, "pb")                   \
                   RIDGE_STREAM(RIDGE_FOUR, reg, w, "pa"),                                                   \
               RIDGE_FENCE)                                                                                  \
  RIDGE_ARRAYS(triad_nt_4_ahead, 4, w, RIDGE_SCALE(reg),                                                     \
               RIDGE_FETCH(RIDGE_FOUR, 1024, w, "pb") RIDGE_FETCH(RIDGE_FOUR, 1024, w, "pc")                 \
                   RIDGE_LOAD(RIDGE_FOUR, reg, w, "pb") RIDGE_SCALED(RIDGE_FOUR, reg, w, "pc")               \
                       RIDGE_STREAM(RIDGE_FOUR, reg, w, "pa"),                                               \
               RIDGE_FENCE)                                                                                  \
  RIDGE_ARRAYS(copy_nt_lines, 1, w, "", RIDGE_COPY_LINES(reg, w), RIDGE_FENCE)                               \
  RIDGE_ARRAYS(triad_nt_lines, 1, w, RIDGE_SCALE(reg), RIDGE_TRIAD_LINES(reg, w), RIDGE_FENCE)               \
  RIDGE_ARRAYS(triad, 1, w, RIDGE_SCALE(reg),                                                                \
               RIDGE_LOAD(RIDGE_ONE, reg, w, "pb") RIDGE_SCALED(RIDGE_ONE, reg, w, "pc")                     \
                   RIDGE_STORE(RIDGE_ONE, reg, w, "pa"),                                                     \
               "")                                                                                           \
  RIDGE_ARRAYS(triad_4, 4, w, RIDGE_SCALE(reg),                                                              \
               RIDGE_LOAD(RIDGE_FOUR, reg, w, "pb") RIDGE_SCALED(RIDGE_FOUR, reg, w, "pc")                   \
                   RIDGE_STORE(RIDGE_FOUR, reg, w, "pa"),                                                    \
               "")                                                                                           \
  RIDGE_ARRAYS(triad_nt, 1, w, RIDGE_SCALE(reg),                                                             \
               RIDGE_LOAD(RIDGE_ONE, reg, w, "pb") RIDGE_SCALED(RIDGE_ONE, reg, w, "pc")                     \
                   RIDGE_STREAM(RIDGE_ONE, reg, w, "pa"),                                                    \
               RIDGE_FENCE)                                                                                  \
  RIDGE_ARRAYS(triad_nt_ahead, 1, w, RIDGE_SCALE(reg),                                                       \
               RIDGE_FETCH(RIDGE_ONE, 2048, w, "pb") RIDGE_FETCH(RIDGE_ONE, 2048, w, "pc")                   \
                   RIDGE_LOAD(RIDGE_ONE, reg, w, "pb") RIDGE_SCALED(RIDGE_ONE, reg, w, "pc")                 \
                       RIDGE_STREAM(RIDGE_ONE, reg, w, "pa"),                                                \
               RIDGE_FENCE)                                                                                  \
  RIDGE_ARRAYS(triad_nt_2, 2, w, RIDGE_SCALE(reg),                                                           \
               RIDGE_LOAD(RIDGE_TWO, reg, w, "pb") RIDGE_SCALED(RIDGE_TWO, reg, w, "pc")                     \
                   RIDGE_STREAM(RIDGE_TWO, reg, w, "pa"),                                                    \
               RIDGE_FENCE)                                                                                  \
  RIDGE_ARRAYS(triad_nt_4, 4, w, RIDGE_SCALE(reg),                                                           \
               RIDGE_LOAD(RIDGE_FOUR, reg, w, "pb") RIDGE_SCALED(RIDGE_FOUR, reg, w, "pc")                   \
                   RIDGE_STREAM(RIDGE_FOUR, reg, w, "pa"),                                                   \
               RIDGE_FENCE)                                                                                  \
  RIDGE_ARRAYS(update, 1, w, RIDGE_SCALE(reg),                                                               \
               RIDGE_CLEAR RIDGE_SCALED(RIDGE_ONE, reg, w, "pa") RIDGE_STORE(RIDGE_ONE, reg, w, "pa"), "")   \
  RIDGE_ARRAYS(add, 1, w, "",                                                                                \
               RIDGE_LOAD(RIDGE_ONE, reg, w, "pa") RIDGE_SUM(RIDGE_ONE, reg, w, "pb")                        \
                   RIDGE_STORE(RIDGE_ONE, reg, w, "pa"),                                                     \
               "")                                                                                           \
  RIDGE_ARRAYS(add_both, 1, w, RIDGE_SCALE(reg),                                                             \
               RIDGE_LOAD(RIDGE_ONE, reg, w, "pa") RIDGE_SUM(RIDGE_ONE, reg, w, "pb")                        \
                   RIDGE_SCALED(RIDGE_ONE, reg, w, "pc") RIDGE_STORE(RIDGE_ONE, reg, w, "pa"),               \
               "")                                                                                           \
  constexpr array_variant reads[] = {{"one stream", read},                                                   \
                                     {"one stream, prefetched", read_ahead},                                 \
                                     {"2 streams", read_2},                                                  \
                                     {"4 streams", read_4},                                                  \
                                     {"4 streams, prefetched", read_4_ahead}};                               \
  constexpr array_variant writes[] = {{"one stream", write}, {"4 streams", write_4}};                        \
  constexpr array_variant writes_nt[] = {{"one stream", write_nt}, {"4 streams", write_nt_4}};               \
  constexpr array_variant copies[] = {{"one stream", copy}, {"4 streams", copy_4}};                          \
  constexpr array_variant copies_nt[] = {{"one stream", copy_nt},                                            \
                                         {"one stream, prefetched", copy_nt_ahead},                          \
                                         {"2 streams", copy_nt_2},                                           \
                                         {"4 streams", copy_nt_4},                                           \
                                         {"4 streams, prefetched", copy_nt_4_ahead},                         \
                                         {"line by line", copy_nt_lines}};                                   \
  constexpr array_variant triads[] = {{"one stream", triad}, {"4 streams", triad_4}};                        \
  constexpr array_variant triads_nt[] = {{"one stream", triad_nt},                                           \
                                         {"one stream, prefetched", triad_nt_ahead},                         \
                                         {"2 streams", triad_nt_2},                                          \
                                         {"4 streams", triad_nt_4},                                          \
                                         {"4 streams, prefetched", triad_nt_4_ahead},                        \
                                         {"line by line", triad_nt_lines}};
