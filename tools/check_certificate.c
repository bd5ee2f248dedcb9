/* Checks a certificate of freedom from deadlock: cc -O2 -o check_certificate check_certificate.c, then
 * ./check_certificate FILE, or zcat FILE.gz | ./check_certificate -
 * The page docs/certificates.md has the format, what each condition asks, and what remains to be believed.
 * Exit status 0 where the file proves what it says; 2 and one line that names the line of the file where it does not.
 * Plain C99, on its own; it accepts what check_certificate.py accepts. Memory grows with what the file lists, and for
 * Duato's condition with the square of the escape channels (a bit for each pair). */
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef long long num;
enum { LONGEST = 65536, ROOM = 1 << 20, NAMES = 11 };
#define MOST 1000000000000000000LL
#define LARGEST ((num)1 << 32) /* bytes of a table of bits */

static const char *names[NAMES] = {"network", "routing", "condition", "vcs", "routers", "sources",
                                   "sinks", "links", "channels", "dependencies", "states"};
static const char *rows[] = {"", "source", "sink", "link", "channel", "wants", "enters", "to", "end"};
enum { SOURCE = 1, SINK, LINK, CHANNEL, WANTS, ENTERS, TO, END };

static const char *file_name;
static FILE *file;
static char room[ROOM], *p, *stop; /* the line that is read: what is left of it */
static size_t from, filled;
static num line, blamed;

static void refuse(const char *why, ...) {
    va_list shown;
    va_start(shown, why);
    fprintf(stderr, "%s: line %lld: ", file_name, blamed);
    vfprintf(stderr, why, shown);
    fprintf(stderr, "\n");
    exit(2);
}

#define must(good, ...) ((good) ? (void)0 : refuse(__VA_ARGS__))

/* Lists that grow by one. */
typedef struct { num *of, count, room; } list;

static void *memory(void *old, num bytes) {
    void *made = realloc(old, (size_t)(bytes + 1));
    must(made != NULL, "not enough memory to check it");
    return made;
}

static void push(list *to, num value) {
    if (to->count == to->room) to->of = memory(to->of, (to->room = 2 * to->room + 64) * (num)sizeof(num));
    to->of[to->count++] = value;
}

/* The next line that is no remark; its end is at `stop`. */
static void next_line(void) {
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
        p = room + from;
        stop = end;
        from = (size_t)(end + 1 - room);
    } while (*p == '#');
}

static int is_word(const char *word) { /* goes past it */
    size_t length = strlen(word);
    if ((size_t)(stop - p) < length || memcmp(p, word, length) || (p + length < stop && p[length] != ' ')) return 0;
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
    must(p > begin && (p == stop || *p == ' ') && value < below,
         "a whole number below %lld expected", below);
    return value;
}

static int sign(void) { /* + or - */
    space();
    must(p < stop && (*p == '+' || *p == '-') && (p + 1 == stop || p[1] == ' '), "+ or - expected");
    return *p++ == '+';
}

static num head[NAMES];
static char texts[3][LONGEST];
static int escape, rings, row;
static num last[3]; /* what the next row must be greater than */
static list source, sink, link_router, link_port, link_far, at, to, order, begins;

static void ascend(num a, num b, num c) {
    must(a > last[0] || (a == last[0] && (b > last[1] || (b == last[1] && c > last[2]))), "not in ascending order");
    last[0] = a, last[1] = b, last[2] = c;
}

static void read_head(void) {
    int k;
    next_line();
    must(is_word("jumpnet-certificate") && stop - p == 2 && p[1] == '1', "'jumpnet-certificate 1' expected");
    for (k = 0; k < NAMES; k++) {
        char *c;
        next_line();
        must(is_word(names[k]) && stop - p > 1, "%s and its value expected", names[k]);
        for (c = p; c < stop; c++) must(*c >= 32 && *c < 127, "%s and its value expected", names[k]);
        if (k > 2) head[k] = number(MOST), must(p == stop, "one number expected");
        else memcpy(texts[k], p + 1, (size_t)(stop - p - 1));
        if (k == 2) {
            int both = !strcmp(texts[2], "escape-rings");
            escape = both || !strcmp(texts[2], "escape"), rings = both || !strcmp(texts[2], "rings");
            must(escape || rings || !strcmp(texts[2], "acyclic"), "unknown condition");
        }
    }
}

/* The place of a link in the lists, or -1; asked in their order, as channels ascend too. */
static num link_of(num router, num port) {
    static num k = 0;
    while (k < link_router.count && (link_router.of[k] < router || (link_router.of[k] == router && link_port.of[k] < port)))
        k++;
    return k < link_router.count && link_router.of[k] == router && link_port.of[k] == port ? k : -1;
}

static void read_channel(void) {
    num index = number(MOST), router = number(MOST), port = number(MOST), link;
    ascend(router, port, number(head[3]));
    link = link_of(router, port);
    must(index == at.count && link >= 0, "channel %lld of a link expected", at.count);
    push(&at, router);
    push(&to, link_far.of[link]);
    if (escape && stop - p > 2 && p[1] == '-' && p[2] == ' ') p += 2, push(&order, -1);
    else push(&order, number(MOST));
    push(&begins, sign());
}

/* Dependencies: of channel c, those in wanted[k].of from first[k].of[c] to first[k].of[c + 1]; k is 1 of `enters`. */
static list first[2], wanted[2], out, into, plain;
static num dependencies;

static void read_wants(int enters) {
    num held = number(at.count), before = order.of[held];
    list *mine = &wanted[enters];
    must(rings || !enters, "a line for condition rings alone");
    must(p < stop, "more values expected"); /* a line without would let those of lesser channels come later */
    while (into.count < at.count) push(&into, 0), push(&out, 0), push(&plain, 0);
    while (first[enters].count <= held) push(&first[enters], mine->count);
    while (p < stop) {
        num channel = number(at.count), after = order.of[channel];
        int along = rings && !enters && 0 <= before && before == after;
        ascend(held, channel, 0);
        must(along || (0 <= before && before < after), "%lld to %lld does not ascend", held, channel);
        must((escape && !rings) || to.of[held] == at.of[channel], "%lld does not begin where %lld ends", channel, held);
        if (along) {
            must(!out.of[held] && !into.of[channel], "%lld to %lld is no step in a ring", held, channel);
            out.of[held] = into.of[channel] = line;
        } else if (!enters) plain.of[channel] = line;
        if (head[10]) push(mine, channel);
        dependencies++;
    }
}

/* The states of packets to one sink: candidate i of state s is in moves.of from 3 * begin.of[s]. */
static list router_of, line_of, begin, moves, escapes, stamps;
static num now = -1, sender = -1, covered, states, words;
static int branching; /* packets that take all their ways: they begin for sink BRANCHES */
enum { BRANCHES = -3 };
static uint64_t *listed, *ahead;
static num ahead_room;

/* Before the first state: number the escape channels, and write their dependencies as bits. */
static void prepare(void) {
    num c, i, k, count = 0;
    for (k = 0; k < 2; k++)
        while (first[k].count <= at.count) push(&first[k], wanted[k].count);
    for (c = 0; c < at.count; c++) push(&escapes, escape && !rings && order.of[c] >= 0 ? count++ : -1);
    for (c = 0; c < source.count; c++) push(&stamps, -1);
    words = (count + 63) / 64;
    must(count * words < LARGEST / 8, "too many escape channels for this checker");
    listed = memory(NULL, count * words * 8);
    memset(listed, 0, (size_t)(count * words * 8));
    for (c = 0; escape && !rings && c < at.count; c++)
        for (i = first[0].of[c]; i < first[0].of[c + 1]; i++) {
            num e = escapes.of[wanted[0].of[i]];
            listed[escapes.of[c] * words + e / 64] |= (uint64_t)1 << e % 64;
        }
}

static int is_listed(num held, num channel, int enters) {
    const num *of = wanted[enters].of;
    num low = first[enters].of[held], high = first[enters].of[held + 1];
    while (low < high) {
        num middle = (low + high) / 2;
        if (of[middle] < channel) low = middle + 1;
        else high = middle;
    }
    return low < first[enters].of[held + 1] && of[low] == channel;
}

static void check_states(void) {
    num s, i, k, count = router_of.count;
    const char *lack = "on channel %lld packets may want %lld, which is not listed";
    for (s = 0; s < count; s++)
        for (i = begin.of[s], blamed = line_of.of[s]; i < begin.of[s + 1]; i++) {
            num held = moves.of[3 * i], after = moves.of[3 * i + 2];
            must(after < count && router_of.of[after] == to.of[held], "state %lld is not ahead", after);
        }
    for (s = 0; (!escape || rings) && s < count; s++)
        for (i = begin.of[s], blamed = line_of.of[s]; i < begin.of[s + 1]; i++) {
            num held = moves.of[3 * i], after = moves.of[3 * i + 2];
            for (k = begin.of[after]; k < begin.of[after + 1]; k++) {
                num channel = moves.of[3 * k], kind = moves.of[3 * k + 1];
                if (escape && !(kind & 1)) continue;
                if (!escape || order.of[held] >= 0) must(is_listed(held, channel, rings && kind > 1), lack, held, channel);
                else must(kind > 1 || begins.of[channel], "packets come to channel %lld, which has no +", channel);
            }
        }
}

static void check_escapes(void) {
    num s, i, w, count = router_of.count;
    int changed = 1;
    must(count * words < LARGEST / 8, "too many states to one sink for this checker");
    if (!ahead || count > ahead_room) ahead = memory(ahead, (ahead_room = 2 * count) * words * 8);
    memset(ahead, 0, (size_t)(count * words * 8));
    for (s = 0; s < count; s++)
        for (i = begin.of[s]; i < begin.of[s + 1]; i++) {
            num e = escapes.of[moves.of[3 * i]];
            if (moves.of[3 * i + 1] & 1) ahead[s * words + e / 64] |= (uint64_t)1 << e % 64;
        }
    while (changed) /* escape channels that are come to by normal ones */
        for (changed = 0, s = 0; s < count; s++)
            for (i = begin.of[s]; i < begin.of[s + 1]; i++) {
                const uint64_t *next = ahead + moves.of[3 * i + 2] * words;
                uint64_t more = 0, *mine = ahead + s * words;
                if (moves.of[3 * i + 1] & 1) continue;
                for (w = 0; w < words; w++) more |= next[w] & ~mine[w], mine[w] |= next[w];
                changed |= more != 0;
            }
    for (s = 0; s < count; s++)
        for (i = begin.of[s], blamed = line_of.of[s]; i < begin.of[s + 1]; i++) {
            num e = escapes.of[moves.of[3 * i]], after = moves.of[3 * i + 2];
            for (w = 0; e >= 0 && w < words; w++)
                must(!(ahead[after * words + w] & ~listed[e * words + w]),
                     "on channel %lld packets may want an escape channel that is not listed", moves.of[3 * i]);
        }
}

static void close_section(void) {
    push(&begin, moves.count / 3);
    check_states();
    if (escape && !rings) check_escapes();
    router_of.count = line_of.count = begin.count = moves.count = 0;
    blamed = line;
}

static num place(const list *in, num router) { /* in a list that ascends, or -1 */
    num low = 0, high = in->count;
    while (low < high) {
        num middle = (low + high) / 2;
        if (in->of[middle] < router) low = middle + 1;
        else high = middle;
    }
    return low < in->count && in->of[low] == router ? low : -1;
}

static void finish_sink(void) {
    num k;
    if (!head[10] || now == -1 || (!branching && place(&sink, now) < 0)) return;
    for (k = 0; k < source.count; k++)
        must(stamps.of[k] == now || source.of[k] == now, "no packet from %lld to %lld so far", source.of[k], now);
    covered = branching ? sink.count : covered + 1;
}

static void read_to(void) {
    num router, from_one = -1;
    must(!branching, "a sink among packets that branch");
    router = number(head[4]);
    if (p < stop) {
        must((p++, is_word("from")), "to SINK, or to SINK from SOURCE expected");
        from_one = number(head[4]);
    }
    must(p == stop, "fewer values expected");
    if (now < 0) prepare();
    close_section();
    ascend(router, sender = from_one, 0);
    if (router != now) finish_sink();
    now = router;
}

static void read_branches(void) {
    must(!escape && !rings && now == -1, "no place for packets that branch");
    prepare();
    close_section();
    branching = 1, now = BRANCHES;
}

static void read_state(void) {
    num index = number(MOST), router = number(head[4]);
    int starts = sign(), has_escape = 0, none;
    must(!starts || sender < 0 || sender == router, "packets of source %lld begin at %lld", sender, router);
    must(index == router_of.count, "state %lld expected", router_of.count);
    for (space(); p < stop && *p != ' '; p++) must((unsigned char)*p < 128, "plain letters expected");
    push(&router_of, router);
    push(&line_of, line);
    push(&begin, moves.count / 3);
    none = p == stop;
    while (p < stop) {
        num channel = number(at.count), kind = number(4);
        must(at.of[channel] == router, "channel %lld does not begin here", channel);
        must(!escape || !(kind & 1) || order.of[channel] >= 0, "escape %lld has no number", channel);
        must(!escape || !rings || (kind & 1) == (order.of[channel] >= 0), "an escape is none, too");
        must(!rings || !starts || kind > 1 || kind < escape || begins.of[channel], "packets begin on channel %lld, which has no +", channel);
        has_escape |= kind & 1;
        push(&moves, channel), push(&moves, kind), push(&moves, number(MOST));
    }
    must(!none || branching || router == now, "a packet to %lld ends here", now);
    must(!escape || none || has_escape, "no escape candidate");
    if (starts && place(&source, router) >= 0) stamps.of[place(&source, router)] = now;
    states++;
}

static void read_end(void) {
    num c, k, found[6];
    must(p == stop, "fewer values expected");
    if (now != -1) close_section(), finish_sink();
    must(!head[10] || covered == sink.count, "packets to every sink expected before");
    found[0] = source.count, found[1] = sink.count, found[2] = link_router.count, found[3] = at.count;
    found[4] = dependencies, found[5] = states;
    for (k = 0; k < 6; k++) must(head[5 + k] == found[k], "%lld %s said, %lld found", head[5 + k], names[5 + k], found[k]);
    for (c = 0; c < into.count; c++)
        if (into.of[c]) {
            blamed = plain.of[c] ? plain.of[c] : into.of[c];
            must(!plain.of[c] && !begins.of[c], "ring at %lld entered without bubble", c);
        }
}

static void read_row(void) {
    int k, is_branches = row <= TO && is_word("branches"), is_state = row == TO && !is_branches && is_word("state");
    for (k = row > SOURCE ? row : SOURCE; k <= END && !is_state && !is_branches; k++)
        if (is_word(rows[k])) break;
    if (is_state || is_branches) k = TO;
    must(k <= END, "a line that may not stand here");
    if (k != row) row = k, last[0] = last[1] = last[2] = -2;
    if (is_state) read_state();
    else if (is_branches) read_branches();
    else if (k == SOURCE || k == SINK)
        while (p < stop) {
            num router = number(head[4]);
            ascend(router, 0, 0);
            push(k == SOURCE ? &source : &sink, router);
        }
    else if (k == LINK) {
        num router = number(head[4]), port = number(MOST);
        ascend(router, port, 0);
        push(&link_router, router), push(&link_port, port), push(&link_far, number(head[4]));
        number(MOST);
    } else if (k == CHANNEL) read_channel();
    else if (k == WANTS || k == ENTERS) read_wants(k == ENTERS);
    else if (k == TO) read_to();
    else read_end();
    must(p == stop, "fewer values expected");
}

int main(int count, char **given) {
    file_name = count > 1 ? given[1] : "-";
    file = strcmp(file_name, "-") ? fopen(file_name, "rb") : stdin;
    if (!file) return perror(file_name), 2;
    read_head();
    while (row != END) next_line(), read_row();
    blamed = line + 1;
    must(from == filled && fgetc(file) == EOF, "the file goes on after its end");
    printf("%s on %s, %lld virtual channel%s, condition %s: accepted\n", texts[1], texts[0], head[3],
           head[3] == 1 ? "" : "s", texts[2]);
    printf("  checked: %lld dependencies ascend%s\n", dependencies,
           rings ? ", or go on in a ring entered with a bubble" : escape ? ", between escape channels" : "");
    if (states)
        printf("  checked: %lld packet states, %s, have no others%s\n"
               "  believed: that links and states are those of this network and routing\n",
               states, branching ? "that branch, from every source" : "from every source to every sink", escape ? ", and an escape each" : "");
    else
        printf("  not checked: that packets have no other dependencies, as no packet states are listed\n");
    return 0;
}
