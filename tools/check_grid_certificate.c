/* Checks Duato's condition on a grid from cases of pairs: cc -O2 -o check_grid check_grid_certificate.c, then
 * ./check_grid FILE, or zcat FILE.gz | ./check_grid -
 * The page docs/certificates.md has the format, and why what is checked here is enough. Exit status 0 where the file
 * proves what it says; 2 and one line that names the line of the file where it does not.
 * Plain C99, on its own; it accepts what check_grid_certificate.py accepts. */
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef long long num;
typedef uint64_t word;
enum { LONGEST = 1 << 20, SIDE = 1024, MANY = 1 << 12, DIMENSIONS = 64 };
#define MOST 1000000000000000000LL

static const char *names[] = {"network", "routing", "condition", "vcs", "sides", "ports", "cases"};
static const char *file_name;
static FILE *file;
static char text[LONGEST + 2], shown[2][LONGEST + 2], *p, *stop;
static num line, blamed;

static void refuse(const char *why, ...) {
    va_list more;
    va_start(more, why);
    fprintf(stderr, "%s: line %lld: ", file_name, blamed);
    vfprintf(stderr, why, more);
    fprintf(stderr, "\n");
    exit(2);
}

#define must(good, ...) ((good) ? (void)0 : refuse(__VA_ARGS__))

static void *memory(num bytes) {
    void *made = calloc((size_t)bytes + 1, 1);
    must(made != NULL, "not enough memory to check it");
    return made;
}

static void next_line(void) { /* that is no remark */
    do {
        int c = 0;
        blamed = ++line;
        for (p = stop = text; stop - text < LONGEST && (c = fgetc(file)) != EOF && c != '\n';) *stop++ = (char)c;
        must(c == '\n' && stop - text < LONGEST, "cut off, or longer than %d bytes", LONGEST);
    } while (stop > text && *text == '#');
}

static int is_word(const char *name) { /* goes past it */
    size_t length = strlen(name);
    if ((size_t)(stop - p) < length || memcmp(p, name, length) || (p + length < stop && p[length] != ' ')) return 0;
    p += length;
    return 1;
}

static void space(void) {
    must(p < stop && *p == ' ', "more values expected");
    p++;
}

static num number(num below) {
    num value = 0;
    const char *begin;
    space();
    for (begin = p; p < stop && *p >= '0' && *p <= '9' && p - begin < 18; p++) value = 10 * value + (*p - '0');
    must(p > begin && (p == stop || *p == ' ') && value < below, "a whole number below %lld expected", below);
    return value;
}

static int hex(int c) { return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1; }

static num vcs, side[DIMENSIONS], dims, port_count, case_count, ports, cases, total, pairs_whole;
static int words; /* of a set of targets */

typedef struct { num dimension, to[SIDE]; } port_of;
typedef struct { num port, vc, line, *number; } class_of;
typedef struct { num port, vc, kind; } take_of;
typedef struct { num line, dims, takes; word *pairs[DIMENSIONS]; take_of *take; } case_of; /* pairs[d][x * words] */
static port_of *port;
static class_of *class_list;
static case_of *list;
static num classes;

static class_of *class_at(num by, num vc) {
    num c;
    for (c = 0; c < classes; c++)
        if (class_list[c].port == by && class_list[c].vc == vc) return &class_list[c];
    return NULL;
}

static void read_head(void) {
    int k;
    next_line();
    must(is_word("jumpnet-grid-certificate") && stop - p == 2 && p[1] == '1', "'jumpnet-grid-certificate 1' expected");
    for (k = 0; k < 7; k++) {
        char *c;
        next_line();
        must(is_word(names[k]) && stop - p > 1 && *p == ' ', "%s and its value expected", names[k]);
        for (c = p; c < stop; c++) must(*c >= 32 && *c < 127, "%s and its value expected", names[k]);
        if (k < 2) memcpy(shown[k], p + 1, (size_t)(stop - p - 1));
        if (k == 2) must(stop - p == 7 && !memcmp(p, " escape", 7), "condition escape expected");
        if (k == 3) vcs = number(MANY);
        for (total = 1; k == 4 && p < stop; dims++) {
            must(dims < DIMENSIONS, "at most %d sides expected", DIMENSIONS);
            side[dims] = number(SIDE + 1);
            must(side[dims] > 0 && (total *= side[dims]) < 1 << 30, "sides of fewer routers expected");
            if (side[dims] > 64 * words) words = (int)(side[dims] + 63) / 64;
        }
        if (k == 4) pairs_whole = total * total;
        if (k == 5) port_count = number(MANY);
        if (k == 6) case_count = number(MANY);
        must(k < 3 || p == stop, "fewer values expected");
    }
    port = memory(MANY * (num)sizeof *port), class_list = memory(MANY * (num)sizeof *class_list);
    list = memory((MANY + 1) * (num)sizeof *list);
}

static void read_port(void) {
    num x, index = number(MOST), d = number(dims);
    must(index == ports && ports < MANY, "port %lld expected", ports);
    port[ports].dimension = d;
    for (x = 0; x < side[d]; x++)
        if (stop - p > 1 && p[1] == '-' && (stop - p == 2 || p[2] == ' ')) p += 2, port[ports].to[x] = -1;
        else port[ports].to[x] = number(side[d]);
    ports++;
}

static void read_class(void) {
    class_of *made = &class_list[classes];
    num x, k;
    must(classes < MANY, "fewer classes expected");
    made->port = number(ports), made->vc = number(vcs), made->line = line;
    must(!class_at(made->port, made->vc), "a class that was there before");
    k = side[port[made->port].dimension];
    made->number = memory(k * (num)sizeof(num));
    for (x = 0; x < k; x++) made->number[x] = number(MOST);
    classes++;
}

static void close_case(void) {
    case_of *last = list + cases - 1;
    num d, x, t;
    int home = 1, escape = 0;
    if (!cases) return;
    blamed = last->line;
    must(last->dims == dims, "pairs of every dimension expected");
    for (d = 0; d < dims; d++) {
        word any = 0;
        for (x = 0; x < side[d]; x++)
            for (t = 0; t < words; t++) {
                word row = last->pairs[d][x * words + t];
                any |= row;
                if (row & ~(x / 64 == t ? (word)1 << x % 64 : 0)) home = 0;
            }
        must(any, "pairs of every dimension expected");
    }
    for (t = 0; t < last->takes; t++) escape |= last->take[t].kind == 1;
    must(last->takes || home, "packets without a way that have not arrived");
    must(!last->takes || escape, "no escape candidate");
    blamed = line;
}

static void read_case(void) {
    close_case();
    must(number(MOST) == cases && cases < MANY, "case %lld expected", cases);
    list[cases++].line = line;
}

static void read_pairs(void) {
    case_of *now = list + cases - 1;
    num d = number(MOST), x, k;
    must(d == now->dims && d < dims && !now->takes, "dimension %lld expected", now->dims);
    now->pairs[d] = memory(side[d] * words * 8);
    for (x = 0; x < side[d]; x++) {
        word *row = now->pairs[d] + x * words;
        const char *begin;
        space();
        for (begin = p; p < stop && hex(*p) >= 0 && p - begin < 256; p++) {
            num w;
            must(!(row[words - 1] >> 60), "targets below %lld expected", side[d]);
            for (w = words - 1; w > 0; w--) row[w] = row[w] << 4 | row[w - 1] >> 60;
            row[0] = row[0] << 4 | (word)hex(*p);
        }
        must(p > begin && (p == stop || *p == ' '), "hexadecimal digits expected");
        for (k = side[d]; k < 64 * words; k++)
            must(!(row[k / 64] >> k % 64 & 1), "targets below %lld expected", side[d]);
    }
    now->dims++;
}

static void read_take(void) {
    case_of *now = list + cases - 1;
    num x, t, by = number(ports), vc = number(vcs), kind = number(2), d = port[by].dimension;
    must(now->dims == dims, "pairs of every dimension expected");
    for (x = 0; x < side[d]; x++)
        for (t = 0; port[by].to[x] < 0 && t < words; t++)
            must(!now->pairs[d][x * words + t], "port %lld has no link there", by);
    must(!kind || class_at(by, vc), "an escape without a class");
    if (now->takes % 64 == 0) {
        take_of *more = memory((now->takes + 64) * (num)sizeof *more);
        if (now->takes) memcpy(more, now->take, (size_t)now->takes * sizeof *more);
        now->take = more;
    }
    now->take[now->takes].port = by, now->take[now->takes].vc = vc, now->take[now->takes++].kind = kind;
}

static void check_pairs(void) { /* each pair of routers is in one case */
    num found = 0, i, j, d, k;
    for (i = 0; i < cases; i++) {
        num many = 1;
        blamed = list[i].line;
        for (d = 0; d < dims; d++) {
            num ones = 0;
            for (k = 0; k < side[d] * words; k++) {
                word row = list[i].pairs[d][k];
                for (; row; row &= row - 1) ones++;
            }
            many *= ones;
        }
        must((found += many) <= pairs_whole, "pairs that are in another case");
        for (j = 0; j < i; j++) {
            int apart = 0;
            for (d = 0; d < dims && !apart; d++) {
                word both = 0;
                for (k = 0; k < side[d] * words; k++) both |= list[i].pairs[d][k] & list[j].pairs[d][k];
                apart = !both;
            }
            must(apart, "pairs that are in another case");
        }
    }
    must(found == pairs_whole, "%lld of %lld pairs are in a case", found, pairs_whole);
}

/* Targets by coordinate for each dimension: at least the pairs that take a channel, as an escape alone or as any. */
static void hull(const class_of *of, int escapes, word *made[]) {
    num i, t, d, k;
    for (d = 0; d < dims; d++) memset(made[d], 0, (size_t)(side[d] * words * 8));
    for (i = 0; i < cases; i++) {
        int takes = 0;
        for (t = 0; t < list[i].takes; t++) {
            const take_of *one = &list[i].take[t];
            takes |= one->port == of->port && one->vc == of->vc && (one->kind || !escapes);
        }
        for (d = 0; takes && d < dims; d++)
            for (k = 0; k < side[d] * words; k++) made[d][k] |= list[i].pairs[d][k];
    }
}

/* For coordinates x and y the targets for which normal hops lead from x to y in one dimension. */
static word *reach_in(num d) {
    num k = side[d], i, t, x, y, w, turn;
    word *made = memory(k * k * words * 8), *hops = memory(port_count * k * words * 8);
    int changed = 1;
    for (i = 0; i < cases; i++)
        for (t = 0; t < list[i].takes; t++) {
            const take_of *one = &list[i].take[t];
            if (one->kind || port[one->port].dimension != d) continue;
            for (x = 0; x < k * words; x++) hops[one->port * k * words + x] |= list[i].pairs[d][x];
        }
    for (x = 0; x < k; x++)
        for (y = 0; y < k; y++) made[(x * k + x) * words + y / 64] |= (word)1 << y % 64;
    for (turn = 0; changed; turn++)
        for (changed = 0, i = 0; i < k; i++)
            for (x = turn % 2 ? k - 1 - i : i, t = 0; t < port_count; t++) {
                const word *row = hops + (t * k + x) * words;
                num z = port[t].dimension == d ? port[t].to[x] : -1;
                for (y = 0; z >= 0 && y < k; y++)
                    for (w = 0; w < words; w++) {
                        word more = made[(z * k + y) * words + w] & row[w] & ~made[(x * k + y) * words + w];
                        changed |= more != 0;
                        made[(x * k + y) * words + w] |= more;
                    }
            }
    free(hops);
    return made;
}

/* Whether a packet that takes a channel at x comes to y, by its targets there and here. */
static int comes(const word *reach, num k, num x, num y, const word *begin, const word *end) {
    num w;
    word any = 0;
    for (w = 0; w < words; w++) any |= begin[w] & end[w] & reach[(x * k + y) * words + w];
    return any != 0;
}

static void ascend(const class_of *low, const class_of *high, word *reach[], word *begin[], word *end[]) {
    const port_of *by = &port[low->port];
    num held = by->dimension, other = port[high->port].dimension, d, x, y;
    static num least[SIDE]; /* of each coordinate of the held channel: the least number that is come to */
    num last = MOST;
    blamed = high->line;
    for (d = 0; d < dims; d++) {
        int any = 0;
        for (x = 0; x < side[d]; x++) {
            num after = d == held && by->to[x] >= 0 ? by->to[x] : x;
            if (d == held) least[x] = MOST;
            for (y = 0; y < side[d]; y++) {
                if (!comes(reach[d], side[d], after, y, begin[d] + x * words, end[d] + y * words)) continue;
                any = 1;
                if (d == held) least[x] = d != other ? 0 : high->number[y] < least[x] ? high->number[y] : least[x];
                if (d == other && high->number[y] < last) last = high->number[y];
            }
        }
        if (!any) return;
    }
    for (x = 0; x < side[held]; x++)
        must(least[x] == MOST || low->number[x] < (held == other ? least[x] : last),
             "port %lld vc %lld at %lld does not ascend to it", low->port, low->vc, x);
}

static void check_numbers(void) {
    static word *reach[DIMENSIONS], *begin[DIMENSIONS], *end[DIMENSIONS];
    num d, a, b;
    for (d = 0; d < dims; d++) {
        reach[d] = reach_in(d);
        begin[d] = memory(side[d] * words * 8), end[d] = memory(side[d] * words * 8);
    }
    for (a = 0; a < classes; a++)
        for (hull(&class_list[a], 0, begin), b = 0; b < classes; b++) {
            hull(&class_list[b], 1, end);
            ascend(&class_list[a], &class_list[b], reach, begin, end);
        }
}

int main(int count, char **given) {
    int row = 0, done = 0;
    file_name = count > 1 ? given[1] : "-";
    file = strcmp(file_name, "-") ? fopen(file_name, "rb") : stdin;
    if (!file) return perror(file_name), 2;
    read_head();
    while (!done) {
        int is;
        next_line();
        is = is_word("port") ? 1 : is_word("class") ? 2 : is_word("case") ? 3 : is_word("pairs") ? 4 : is_word("take") ? 5
           : is_word("end") ? 6 : 0;
        must(is && (is < 4 || is == 6 ? is >= row : row == 3), "a line that may not stand here");
        if (is < 4) row = is;
        if (is == 1) read_port();
        else if (is == 2) read_class();
        else if (is == 3) read_case();
        else if (is == 4) read_pairs();
        else if (is == 5) read_take();
        else done = 1;
        must(p == stop, "fewer values expected");
    }
    close_case();
    must(ports == port_count && cases == case_count, "other counts were said");
    check_pairs();
    check_numbers();
    blamed = line + 1;
    must(fgetc(file) == EOF, "the file goes on after its end");
    printf("%s on %s, %lld virtual channel%s, condition escape on a grid: accepted\n", shown[1], shown[0], vcs,
           vcs == 1 ? "" : "s");
    printf("  checked: %lld cases hold all pairs of routers, and an escape each\n"
           "  checked: the extended dependencies between classes of escape channels ascend\n"
           "  believed: that ports and cases are those of this network and routing\n", cases);
    return 0;
}
