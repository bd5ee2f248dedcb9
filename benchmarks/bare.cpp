// Bare flit-hops: what it takes to move flits in the simulator's way when nothing else is done.
//
//     g++ -O3 -march=native benchmarks/bare.cpp -o bare && ./bare
//
// It does for each flit-hop what the sets of lanes of `jumpnet.sim.sets` do, and no more: a flit leaves a lane, is noted
// for the next one and counted there when it comes; a credit is noted for the router before and counted likewise; each
// output grants one lane in turn; each sixteen routers are looked at in each cycle. There are no packets. Flits go round
// the rings of a torus for ever, in runs as long as a packet, each run in a lane of its own: no route, no head or tail,
// no virtual channel to be got, no turns of input ports, no source, sink, random number or statistics. Sizes are
// constants of the code. As many flits go round as make as many flit-hops a cycle as the rows of the benchmark
// `simulator --cnsim` have. What it takes is the least that was found for this way of moving flits, no proof that no
// other way takes less.

#include <cstdint>
#include <cstdio>
#include <ctime>
#include <random>
#include <vector>

constexpr int PORTS = 4, GROUP = 16, RING = 8, DIGITS = 5, BUFFER = 16;
constexpr int EPOCH = 2;        // cycles that sixteen routers do before the next sixteen do them, as in the simulator
constexpr int TO = 3, BACK = 2; // cycles from winning the switch to being read, and to the use of the credit
enum { CAME = 0, CREDITED = RING, THERE = 2 * RING, CREDITS = THERE + DIGITS, ABOVE = CREDITS + DIGITS, ROWS = ABOVE + PORTS };

template <class Word> struct Vector { typedef Word type __attribute__((vector_size(GROUP * sizeof(Word)))); };

// Sets of lanes (of credits: output VCs, which have the same numbers) of sixteen routers, one row of them for each kind.
template <class Word> struct alignas(128) Sets {
    typename Vector<Word>::type row[ROWS];
};

template <class V> V add(V *digit, V more) { // 1 more for each member: those that have any now
    V some = {};
    for (int k = 0; k < DIGITS; k++) {
        V old = digit[k];
        digit[k] = old ^ more;
        more &= old;
        some |= digit[k];
    }
    return some;
}

template <class V> void subtract(V *digit, V less) {
    for (int k = 0; k < DIGITS; k++) {
        digit[k] ^= less;
        less &= digit[k];
    }
}

template <class V> V take(V &noted) {
    V found = noted;
    noted = V{};
    return found;
}

template <class Word, int VCS> struct Bare {
    typedef typename Vector<Word>::type V;
    static constexpr int LANES = PORTS * VCS;
    int groups;
    std::vector<Sets<Word>> sets;
    std::vector<int32_t> to, back; // by router and port: where its flits, and its credits, are noted

    Bare(int side, int flits, int runs) : groups(side * side / GROUP), sets(groups), to(side * side * PORTS), back(to) {
        const int step[PORTS][2] = {{1, 0}, {side - 1, 0}, {0, 1}, {0, side - 1}};
        std::mt19937 draw(1);
        auto place = [](int r, int row) { return (r / GROUP * ROWS + row) * GROUP + r % GROUP; };
        auto far = [&](int r, int x, int y) { return (r % side + x) % side + (r / side + y) % side * side; };
        for (auto &s : sets) s = Sets<Word>{};
        std::vector<int> count(side * side * LANES);
        for (int k = 0; k < runs; k++) count[draw() % count.size()] = flits;
        for (int r = 0; r < side * side; r++)
            for (int b = 0; b < LANES; b++) {
                const int *s = step[b / VCS], next = far(r, s[0], s[1]), before = far(r, side - s[0], side - s[1]);
                to[r * PORTS + b / VCS] = place(next, CAME);
                back[r * PORTS + b / VCS] = place(before, CREDITED);
                for (int k = 0; k < DIGITS; k++) {
                    number(place(r, THERE + k)) |= Word(count[r * LANES + b] >> k & 1) << b;
                    number(place(r, CREDITS + k)) |= Word((BUFFER - count[next * LANES + b]) >> k & 1) << b;
                }
            }
    }

    Word &number(int place) { return reinterpret_cast<Word *>(sets.data())[place]; }

    // The lane of each output that goes first; its turn moves past that.
    static V pick(V *above, V bidding) {
        V won = {};
        for (int q = 0; q < PORTS; q++) {
            V asking = bidding & ((Word(1) << VCS) - 1) << q * VCS, early = asking & above[q];
            asking = early != 0 ? early : asking;
            V winner = asking & -asking;
            above[q] = winner != 0 ? -(winner + winner) : above[q];
            won |= winner;
        }
        return won;
    }

    // Cycle t of sixteen routers: flits moved.
    int64_t step(int g, int64_t t) {
        V *row = sets[g].row;
        V there = add(row + THERE, take(row[CAME + t % RING])), credit = add(row + CREDITS, take(row[CREDITED + t % RING]));
        V bidding = there & credit, won = pick(row + ABOVE, bidding);
        subtract(row + THERE, won);
        subtract(row + CREDITS, won);
        const int came = (t + TO) % RING * GROUP, credited = (t + BACK) % RING * GROUP;
        int64_t moved = 0;
        for (int k = 0; k < GROUP; k++)
            for (uint64_t lanes = uint64_t(won[k]); lanes; lanes &= lanes - 1, moved++) {
                int b = __builtin_ctzll(lanes), place = (GROUP * g + k) * PORTS + b / VCS;
                number(to[place] + came) |= Word(1) << b;
                number(back[place] + credited) |= Word(1) << b;
            }
        return moved;
    }

    int64_t go(int64_t cycles) {
        int64_t moved = 0;
        for (int64_t first = 0; first < cycles; first += EPOCH)
            for (int g = 0; g < groups; g++)
                for (int64_t t = first; t < first + EPOCH; t++) moved += step(g, t);
        return moved;
    }
};

struct Found {
    double moved, ns; // flit-hops a cycle; of each
};

// The least of `rounds` runs with about `rate` flit-hops a cycle; runs of flits that meet go slower, so more are tried.
template <class Word, int VCS> Found measure(int side, int flits, double rate, int rounds) {
    const int64_t cycles = int64_t(3e6 / rate) / RING * RING;
    double runs = rate * TO / flits;
    Found best{0, 1e9};
    for (int tried = 0; tried < 4 + rounds; tried++) {
        Bare<Word, VCS> bare(side, flits, runs < 1 ? 1 : int(runs + 0.5));
        bare.go(cycles / 2 / RING * RING);
        clock_t before = clock();
        int64_t moved = bare.go(cycles);
        double ns = double(clock() - before) / CLOCKS_PER_SEC * 1e9 / moved, now = double(moved) / cycles;
        if (tried < 4)
            runs *= rate / now;
        else if (ns < best.ns)
            best = {now, ns};
    }
    return best;
}

int main() {
    const struct { int side; double loads[2]; } nets[] = {{8, {0.1, 0.25}}, {64, {0.0125, 0.03}}};
    printf("%-11s%7s%6s%4s%13s%9s%14s\n", "network", "load", "flits", "vcs", "hops a cycle", "moved", "ns a flit-hop");
    for (auto &net : nets)
        for (int vcs : {2, 8})
            for (int flits : {1, 5, 16})
                for (double load : net.loads) {
                    const double n = net.side, rate = load * n * n * (2 * n / 3 + 1); // of a mesh, uniform traffic
                    Found f = vcs == 2 ? measure<int32_t, 2>(net.side, flits, rate, 5) : measure<int64_t, 8>(net.side, flits, rate, 5);
                    printf("mesh:%dx%-4d%9g%6d%4d%13.1f%9.1f%14.2f\n", net.side, net.side, load, flits, vcs, rate, f.moved, f.ns);
                    fflush(stdout);
                }
}
