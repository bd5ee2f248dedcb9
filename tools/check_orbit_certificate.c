/* Checks Duato's condition from one router of each orbit: cc -O2 -o check_orbit check_orbit_certificate.c, then
 * ./check_orbit FILE, or zcat FILE.gz | ./check_orbit -
 * The page docs/certificates.md has the format, and why what is checked here is enough. Exit status 0 where the file
 * proves what it says; 2 and one line that names the line of the file where it does not.
 * Plain C99, on its own; it accepts what check_orbit_certificate.py accepts. */
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef long long num;
enum { LONGEST = 1 << 22, ROOM = 1 << 23, NAMES = 11 };
#define MOST 1000000000000000000LL
#define LARGEST ((num)1 << 34) /* bytes of a table */

static const char *names[NAMES] = {"network", "routing", "condition", "vcs", "routers", "ports",
                                   "sources", "sinks", "moves", "rows", "states"};
static const char *file_name;
static FILE *file;
static char room[ROOM], *p, *stop; /* the line that is read: what is left of it */
static size_t from, filled;
static num line, blamed;

static void refuse(const char *why, ...) {
    va_list shown;
    va_start(shown, why);
    fprintf(stderr, "%s: line %lld: ", file_name, blamed), vfprintf(stderr, why, shown), fprintf(stderr, "\n");
    exit(2);
}

#define must(good, ...) ((good) ? (void)0 : refuse(__VA_ARGS__))

typedef struct { num *of, count, room; } list; /* that grows by one */

static void *memory(void *old, num count, num bytes) {
    void *made;
    must(count >= 0 && count < LARGEST / bytes, "too much for this checker");
    made = realloc(old, (size_t)(count * bytes + 1));
    must(made != NULL, "not enough memory to check it");
    return made;
}

static void push(list *to, num value) {
    if (to->count == to->room) to->of = memory(to->of, to->room = 2 * to->room + 64, sizeof(num));
    to->of[to->count++] = value;
}
static num *filled_with(num value, num count) {
    num *made = memory(NULL, count, sizeof(num)), k;
    for (k = 0; k < count; k++) made[k] = value;
    return made;
}

static void next_line(void) { /* that is no remark; its end is at `stop` */
    char *end;
    do {
        blamed = ++line;
        while (!(end = memchr(room + from, '\n', filled - from)) && filled - from < LONGEST) {
            size_t more;
            memmove(room, room + from, filled -= from);
            from = 0;
            more = fread(room + filled, 1, ROOM - filled, file);
            must(more > 0, "cut off");
            filled += more;
        }
        must(end && end - (room + from) < LONGEST, "longer than %d bytes", LONGEST);
        p = room + from, stop = end, from = (size_t)(end + 1 - room);
    } while (*p == '#');
}

static int is_word(const char *word) { /* goes past it */
    size_t length = strlen(word);
    if ((size_t)(stop - p) < length || memcmp(p, word, length) || (p + length < stop && p[length] != ' ')) return 0;
    p += length;
    return 1;
}

static int is_next(const char *word) { /* the same behind a space */
    return p < stop && *p == ' ' && (p++, is_word(word) || (p--, 0));
}

static num number(num below) {
    num value = 0;
    const char *begin;
    must(p < stop && *p == ' ', "more values expected");
    for (begin = ++p; p < stop && *p >= '0' && *p <= '9' && p - begin < 18; p++) value = 10 * value + (*p - '0');
    must(p > begin && (p == stop || *p == ' ') && value < below, "a whole number below %lld expected", below);
    return value;
}

static num head[NAMES], vcs, routers, ports, orbits, links;
static char texts[3][LONGEST];
static list far, ends[2]; /* sources and sinks */
static num **move, made, given, *carried;
static num *name, *place, *members, *first, *size_of, *orbit_index; /* least router of an orbit; members at first[least] */
static num *numbers; /* where they begin in the list, -1 of channels without */
static list number_list, row_router, row_port, row_place, row_low, row_high, row_number;
static list state_line, state_router, state_target, way_first, way_by, way_escape, way_next;
static unsigned char *begun;

static void read_head(void) {
    int k;
    next_line();
    must(is_word("jumpnet-orbit-certificate") && stop - p == 2 && p[1] == '1', "'jumpnet-orbit-certificate 1' expected");
    for (k = 0; k < NAMES; k++) {
        char *c;
        next_line();
        must(is_word(names[k]) && stop - p > 1, "%s and its value expected", names[k]);
        for (c = p; c < stop; c++) must(*c >= 32 && *c < 127, "%s and its value expected", names[k]);
        if (k > 2) head[k] = number((num)1 << (k == 3 || k == 5 ? 12 : 31)), must(p == stop, "one number expected");
        else memcpy(texts[k], p + 1, (size_t)(stop - p - 1));
    }
    must(!strcmp(texts[2], "escape"), "condition escape expected");
    vcs = head[3], routers = head[4], ports = head[5];
    move = memory(NULL, 1, sizeof *move);
}

static num far_of(num router, num port) { return far.of[router * ports + port]; }

static void read_links(void) {
    num k;
    must(number(routers) == links++, "router %lld expected", links - 1);
    for (k = 0; k < ports; k++) push(&far, is_next("-") ? -1 : number(routers));
}

static void read_ends(list *to) {
    while (p < stop) {
        push(to, number(routers));
        must(to->count < 2 || to->of[to->count - 1] > to->of[to->count - 2], "not in ascending order");
    }
}

static num *new_move(num index) {
    must(index == made, "move %lld expected", made);
    move = memory(move, made + 1, sizeof *move);
    return move[made++] = filled_with(-1, routers);
}

static void read_move(void) {
    num *to = new_move(number(MOST)), k, port, *seen = filled_with(0, routers);
    must(given == made - 1, "moves before what is made of them expected");
    for (k = 0; k < routers; k++) must(!seen[to[k] = number(routers)]++, "each router once expected");
    for (k = 0; k < routers; k++)
        for (port = 0; port < ports; port++) {
            num there = far_of(k, port);
            must(far_of(to[k], port) == (there < 0 ? -1 : to[there]), "router %lld does not take its links along, port by port", k);
        }
    for (port = 0; port < 2; port++) {
        memset(seen, 0, (size_t)routers * sizeof *seen);
        for (k = 0; k < ends[port].count; k++) seen[ends[port].of[k]] = 1;
        for (k = 0; k < ends[port].count; k++) must(seen[to[ends[port].of[k]]], "routers that send or receive are carried elsewhere");
    }
    free(seen), given = made;
}

static void read_made(int is_product) {
    num index = number(MOST), one = number(made), two = is_product ? number(made) : 0, k, *to = new_move(index);
    for (k = 0; k < routers; k++)
        if (is_product) to[k] = move[two][move[one][k]];
        else to[move[one][k]] = k;
}

static void join(void) { /* the orbits, when all moves are there */
    num least, k, m, at = 0, *todo = memory(NULL, routers, sizeof(num));
    name = filled_with(-1, routers), place = filled_with(0, routers), carried = filled_with(-1, routers);
    first = filled_with(0, routers), members = filled_with(0, routers), orbit_index = filled_with(-1, routers);
    size_of = filled_with(0, routers);
    for (least = 0; least < routers; least++) {
        num count = 0, done = 0;
        if (name[least] >= 0) continue;
        orbit_index[least] = orbits++;
        name[todo[count++] = least] = least;
        for (; done < count; done++)
            for (m = 0; m < given; m++)
                if (name[move[m][todo[done]]] < 0) name[todo[count++] = move[m][todo[done]]] = least;
        first[least] = at, at += count;
    }
    for (k = 0; k < routers; k++) place[k] = size_of[name[k]]++, members[first[name[k]] + place[k]] = k;
    free(todo);
    must(vcs == 0 || ports == 0 || orbits < LARGEST / 8 / vcs / ports, "too much for this checker");
    must(orbits == 0 || routers < LARGEST / orbits, "too much for this checker");
    numbers = filled_with(-1, orbits * ports * vcs);
    memset(begun = memory(NULL, orbits * routers, 1), 0, (size_t)(orbits * routers));
}

static num least_router(void) {
    num router = number(routers);
    must(name[router] == router, "%lld found, the least router of an orbit expected", router);
    return router;
}

static num number_at(num router, num port, num vc) { /* where the numbers of a channel all over the orbit begin, or -1 */
    return vc < vcs ? numbers[(orbit_index[router] * ports + port) * vcs + vc] : -1;
}

static void read_carry(void) {
    num router = number(routers), by = number(made);
    must(move[by][router] == name[router], "router %lld is not carried to the least of its orbit", router);
    carried[router] = by;
}

/* Values of a line: one, or one for each of `size`; -1 for a dash. */
static void read_alike(list *to, num size, int dashes) {
    num begin = to->count, value, k;
    while (p < stop) push(to, dashes && is_next("-") ? -1 : number(MOST));
    must(to->count - begin == 1 || to->count - begin == size, "one value, or one for each of its orbit expected");
    for (value = to->of[begin], k = to->count - begin; k < size; k++) push(to, value);
}

static void read_number(void) {
    num router = least_router(), port = number(ports), vc = number(vcs);
    must(number_at(router, port, vc) < 0, "a second number");
    numbers[(orbit_index[router] * ports + port) * vcs + vc] = number_list.count;
    read_alike(&number_list, size_of[router], 1);
}

static void read_row(void) {
    static list channels;
    num index = number(MOST), router = least_router(), port = number(ports), size = size_of[router], k, low = MOST, high = -1;
    must(index == row_router.count, "row %lld expected", row_router.count);
    must(far_of(router, port) >= 0, "port %lld has no link", port);
    channels.count = 0;
    read_alike(&channels, size, 0);
    push(&row_router, router), push(&row_port, port), push(&row_place, row_number.count);
    for (k = 0; k < size; k++) {
        num at = number_at(router, port, channels.of[k]), value = at < 0 ? -1 : number_list.of[at + k];
        must(value >= 0, "an escape without a number");
        push(&row_number, value);
        if (value < low) low = value;
        if (value > high) high = value;
    }
    push(&row_low, low), push(&row_high, high);
}

static void read_state(void) {
    num index = number(MOST), router = least_router(), target = number(routers), escapes = 0, ways = way_by.count;
    int starts;
    must(index == state_router.count, "state %lld expected", state_router.count);
    starts = is_next("+");
    must(starts || is_next("-"), "+ or - expected");
    must(p < stop, "more values expected");
    for (p++; p < stop && *p != ' '; p++) must((unsigned char)*p < 128, "plain letters expected");
    push(&state_line, line), push(&state_router, router), push(&state_target, target), push(&way_first, ways);
    while (p < stop) {
        num by = number(MOST);
        int escape = is_next("e");
        if (escape) must(by < row_router.count && row_router.of[by] == router, "row %lld is not of this router", by);
        else {
            num vc = number(vcs);
            must(by < ports && far_of(router, by) >= 0, "port %lld has no link", by);
            must(number_at(router, by, vc) < 0, "an escape is none, too");
        }
        escapes += escape;
        push(&way_by, by), push(&way_escape, escape), push(&way_next, number(MOST));
    }
    must(way_by.count > ways || router == target, "a packet to %lld ends here", target);
    must(way_by.count == ways || escapes, "no escape candidate");
    if (starts) begun[orbit_index[router] * routers + target] = 1;
}

static void check_counts(void) {
    num found[5] = {ends[0].count, ends[1].count, made, row_router.count, state_router.count}, k, t;
    for (k = 0; k < 5; k++) must(head[6 + k] == found[k], "%lld %s said, %lld found", head[6 + k], names[6 + k], found[k]);
    for (k = 0; k < ends[0].count; k++)
        for (t = 0; t < ends[1].count; t++) {
            num source = ends[0].of[k], target = ends[1].of[t];
            must(name[source] != source || source == target || begun[orbit_index[source] * routers + target],
                 "no packet from %lld to %lld", source, target);
        }
}

static void check_ways(void) {
    num s, w;
    push(&way_first, way_by.count);
    for (s = 0; s < state_router.count; s++)
        for (blamed = state_line.of[s], w = way_first.of[s]; w < way_first.of[s + 1]; w++) {
            num port = way_escape.of[w] ? row_port.of[way_by.of[w]] : way_by.of[w], after = way_next.of[w];
            num there = far_of(state_router.of[s], port), target = state_target.of[s];
            must(carried[there] >= 0 || name[there] == there, "router %lld is not carried", there);
            if (carried[there] >= 0) target = move[carried[there]][target];
            must(after < state_router.count && state_router.of[after] == name[there] && state_target.of[after] == target,
                 "state %lld is not ahead", after);
        }
}

/* The least number of an escape, wherever, that a packet in each state may still ask for over normal hops. */
static num *least_ahead(void) {
    num *ahead = filled_with(MOST, state_router.count), s, w;
    int changed = 1;
    while (changed)
        for (changed = 0, s = 0; s < state_router.count; s++)
            for (w = way_first.of[s]; w < way_first.of[s + 1]; w++) {
                num least = way_escape.of[w] ? row_low.of[way_by.of[w]] : ahead[way_next.of[w]];
                if (least < ahead[s]) ahead[s] = least, changed = 1;
            }
    return ahead;
}

/* Ways from an escape: its row, the router come to, the state there, where from, by which port. And a table of them. */
typedef struct { num row, there, state, before, port; } way;
typedef struct { way *of; num count, *table, size; } known;

static num slot(const known *in, const way *one) { /* where it is in the table, or may be put */
    uint64_t mixed = ((uint64_t)one->row * 1000003u + (uint64_t)one->there) * 1000003u + (uint64_t)one->state;
    num at = (num)(mixed * 0x9E3779B97F4A7C15u >> 20) & (in->size - 1);
    for (; in->table[at] >= 0; at = (at + 1) & (in->size - 1)) {
        const way *old = &in->of[in->table[at]];
        if (old->row == one->row && old->there == one->there && old->state == one->state) break;
    }
    return at;
}

static int add(known *to, way one) { /* whether it was not there */
    num at, k;
    if (2 * to->count >= to->size) {
        free(to->table);
        to->size = to->size ? 4 * to->size : 1 << 12, to->table = filled_with(-1, to->size);
        to->of = memory(to->of, to->size, sizeof(way));
        for (k = 0; k < to->count; k++) to->table[slot(to, &to->of[k])] = k;
    }
    at = slot(to, &one);
    if (to->table[at] >= 0) return 0;
    to->table[at] = to->count, to->of[to->count++] = one;
    return 1;
}

/* Numbers of a row and of one that is wanted after it grow at each router of the orbit. */
static void ascends(const known *all, num end, num row, num wanted) {
    static list ports_back;
    num router = row_router.of[row], size = size_of[router], k, h;
    ports_back.count = 0;
    for (k = end; k >= 0; k = all->of[k].before) push(&ports_back, all->of[k].port);
    for (k = 0; k < size; k++) {
        num at = members[first[router] + k];
        for (h = ports_back.count - 1; h >= 0; h--) at = far_of(at, ports_back.of[h]);
        must(row_number.of[row_place.of[row] + k] < row_number.of[row_place.of[wanted] + place[at]],
             "row %lld to %lld, at router %lld, does not ascend", row, wanted, at);
    }
}

static void check_numbers(void) {
    static known all, pairs;
    num *ahead = least_ahead(), s, w, k;
    for (s = 0; s < state_router.count; s++)
        for (w = way_first.of[s]; w < way_first.of[s + 1]; w++) {
            num row = way_by.of[w];
            way one = {row, 0, way_next.of[w], -1, 0};
            if (!way_escape.of[w] || ahead[one.state] > row_high.of[row]) continue;
            one.port = row_port.of[row], one.there = far_of(state_router.of[s], one.port);
            add(&all, one);
        }
    for (k = 0; k < all.count; k++)
        for (s = all.of[k].state, w = way_first.of[s]; w < way_first.of[s + 1]; w++) {
            num row = all.of[k].row, by = way_by.of[w];
            if (way_escape.of[w]) {
                way pair = {row, all.of[k].there, by, 0, 0};
                blamed = state_line.of[s];
                if (row_low.of[by] <= row_high.of[row] && add(&pairs, pair)) ascends(&all, k, row, by);
            } else {
                way one = {row, far_of(all.of[k].there, by), way_next.of[w], k, by};
                if (ahead[one.state] <= row_high.of[row]) add(&all, one);
            }
        }
    free(ahead);
}

int main(int count, char **words) {
    static const char *kinds[] = {"links", "source", "sink", "move", "inverse", "product", "carry", "number", "row", "state", "end"};
    static void (*const readers[])(void) = {0, 0, 0, read_move, 0, 0, read_carry, read_number, read_row, read_state};
    static const int order[] = {0, 1, 2, 3, 3, 3, 4, 5, 6, 7, 8};
    int kind = 0, joined = 0, is;
    file_name = count > 1 ? words[1] : "-";
    file = strcmp(file_name, "-") ? fopen(file_name, "rb") : stdin;
    if (!file) return perror(file_name), 2;
    read_head();
    while (order[kind] < 8) {
        for (next_line(), is = 0; is < 11 && !is_word(kinds[is]);) is++;
        must(is < 11 && order[is] >= order[kind], "a line that may not stand here");
        must(is == 0 || joined || links == routers, "links of every router expected");
        if (order[is] > 3 && !joined) joined = 1, join();
        kind = is;
        if (is == 0) read_links();
        else if (is < 3) read_ends(&ends[is - 1]);
        else if (is == 4 || is == 5) read_made(is == 5);
        else if (is < 10) readers[is]();
        must(p == stop, "fewer values expected");
    }
    check_counts();
    check_ways();
    check_numbers();
    blamed = line + 1;
    must(from == filled && fgetc(file) == EOF, "the file goes on after its end");
    printf("%s on %s, %lld virtual channel%s, condition escape by orbits: accepted\n", texts[1], texts[0], vcs,
           vcs == 1 ? "" : "s");
    printf("  checked: %lld orbits, %lld packet states from one router of each to every router, an escape each\n"
           "  checked: the extended dependencies between escape channels, at all routers, ascend\n"
           "  believed: that links and states are those of this network and routing, and states alike all over an orbit\n",
           orbits, state_router.count);
    return 0;
}
