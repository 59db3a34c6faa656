/* The yardstick: uniform random rounds of Mak Khum's ruleset `turns` in C, one thread.
 *
 *   cc -O3 -march=native -o reference reference.c && ./reference [rounds] [state]
 *
 * Prints one line:  rounds seconds choices checksum
 *
 * The work is defined by three lines, so that another program can do exactly the same:
 *   stream    xorshift64*: x ^= x >> 12; x ^= x << 25; x ^= x >> 27; output x * 0x2545F4914F6CDD1D
 *   choice    number ((output >> 32) * k) >> 32 of the mover's k non-empty holes, hole 1 first
 *   checksum  after each round: sum = sum * 31 + 131 * South's seeds + choices
 *
 * A lap is one 16-byte add of a row made beforehand (GCC and Clang vector types, so any processor does).
 * Places: 0-6 South's holes, 7 its store, 8-14 North's holes, 15 its store; MK-10 to MK-14, MK-30 and MK-31 of the rules.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef uint8_t board_t __attribute__((vector_size(16)));
typedef union { board_t vector; uint8_t place[16]; uint64_t half[2]; } cells;

enum { HOLES = 7, SEEDS = 7, MOST = 2 * HOLES * SEEDS + 1 };

static board_t lap_row[2][16][MOST];
static uint8_t lap_end[2][16][MOST];
static uint8_t nth_bit[1 << HOLES][HOLES];

static void prepare(void) {
    for (int seat = 0; seat < 2; seat++)
        for (int from = 0; from < 16; from++) {
            cells row;
            memset(&row, 0, sizeof row);
            int at = from;
            for (int n = 1; n < MOST; n++) {
                do at = (at + 1) & 15; while (at == (seat ? 7 : 15)); /* MK-4 */
                row.place[at]++;
                cells whole = row;
                whole.place[from] -= (uint8_t)n;
                lap_row[seat][from][n] = whole.vector;
                lap_end[seat][from][n] = (uint8_t)at;
            }
        }
    for (int mask = 0; mask < 1 << HOLES; mask++)
        for (int i = 0, k = 0; i < HOLES; i++)
            if (mask >> i & 1) nth_bit[mask][k++] = (uint8_t)i;
}

/* The non-empty holes of a row: the high bit of every non-zero byte, gathered by one multiplication. */
static inline unsigned row_mask(uint64_t row) {
    const uint64_t low = 0x7f7f7f7f7f7f7fULL, high = 0x80808080808080ULL;
    uint64_t full = (((row & low) + low) | row) & high;
    return (unsigned)((full >> 7) * 0x0102040810204080ULL >> 56 & 0x7f);
}

int main(int argc, char **argv) {
    uint64_t rounds = argc > 1 ? strtoull(argv[1], 0, 10) : 200000;
    uint64_t x = argc > 2 ? strtoull(argv[2], 0, 10) : 88172645463325252ULL;
    uint64_t checksum = 0, all_choices = 0;
    prepare();
    struct timespec begin, end;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &begin);
    for (uint64_t round = 0; round < rounds; round++) {
        cells b;
        memset(b.place, SEEDS, 16);
        b.place[7] = b.place[15] = 0;
        unsigned seat = 0;
        uint64_t choices = 0;
        for (;;) {
            unsigned mask = row_mask(b.half[seat]);
            if (!mask) break; /* MK-30 */
            x ^= x >> 12; x ^= x << 25; x ^= x >> 27;
            uint64_t k = (uint64_t)__builtin_popcount(mask);
            unsigned base = 8 * seat, store = base + 7;
            unsigned at = base + nth_bit[mask][((x * 0x2545F4914F6CDD1DULL) >> 32) * k >> 32];
            choices++;
            board_t v = b.vector;
            do { /* MK-11 */
                unsigned held = b.place[at];
                v += lap_row[seat][at][held];
                at = lap_end[seat][at][held];
                b.vector = v;
            } while (at != store && b.place[at] != 1);
            if (at == store) { /* MK-12 */
                if (row_mask(b.half[seat])) continue;
            } else if (at >> 3 == seat) { /* MK-14 */
                b.place[store] += b.place[14 - at];
                b.place[14 - at] = 0;
            }
            seat ^= 1;
        }
        uint64_t south = 0;
        for (int i = 0; i < 8; i++) south += b.place[i];
        checksum = checksum * 31 + 131 * south + choices;
        all_choices += choices;
    }
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &end);
    double seconds = (double)(end.tv_sec - begin.tv_sec) + 1e-9 * (double)(end.tv_nsec - begin.tv_nsec);
    printf("%llu %.6f %llu %016llx\n", (unsigned long long)rounds, seconds, (unsigned long long)all_choices, (unsigned long long)checksum);
    return 0;
}
