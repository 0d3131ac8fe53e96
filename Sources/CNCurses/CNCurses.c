#define _GNU_SOURCE
#define _XOPEN_SOURCE_EXTENDED 1
#define NCURSES_WIDECHAR 1

#include "CNCurses.h"

#if __has_include(<ncursesw/curses.h>)
#include <ncursesw/curses.h>
#include <ncursesw/term.h>
#else
#include <curses.h>
#include <term.h>
#endif
// term.h makes macros of words that are needed here.
#undef columns
#undef lines

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <wchar.h>

static SCREEN *screen;
static FILE *sink;

// What the terminal would have got so far.
static size_t sink_size(void) {
    off_t end = lseek(fileno(sink), 0, SEEK_CUR);
    return end > 0 ? (size_t)end : 0;
}

static void sink_empty(void) {
    if (ftruncate(fileno(sink), 0) == 0) lseek(fileno(sink), 0, SEEK_SET);
}

static bool open_sink(void) {
    int descriptor = memfd_create("screen", MFD_CLOEXEC);
    if (descriptor < 0) return false;
    sink = fdopen(descriptor, "w+");
    if (sink == NULL) close(descriptor);
    return sink != NULL;
}

bool cncurses_open(const char *terminal_type) {
    if (screen != NULL || !open_sink()) return false;
    // The size is the caller's business. ncurses shall not take it from the environment, but its way to 24 x 80 for types without a size
    // begins with the question to the driver.
    use_env(FALSE);
    use_tioctl(TRUE);
    screen = newterm(terminal_type, sink, sink);
    if (screen == NULL) {
        cncurses_close();
        return false;
    }
    set_term(screen);
    // Without this an update stops half way when its input has something to read.
    typeahead(-1);
    nonl();
    leaveok(stdscr, TRUE);
    scrollok(stdscr, FALSE);
    idlok(stdscr, FALSE);
    if (start_color() == OK) use_default_colors();
    doupdate();
    sink_empty();
    return true;
}

void cncurses_close(void) {
    if (screen != NULL) {
        endwin();
        delscreen(screen);
        screen = NULL;
    }
    if (sink != NULL) {
        fclose(sink);
        sink = NULL;
    }
}

int cncurses_colors(void) {
    return screen != NULL && has_colors() ? COLORS : 0;
}

int cncurses_pairs(void) {
    if (screen == NULL || !has_colors()) return 1;
    return COLOR_PAIRS < 32768 ? COLOR_PAIRS : 32768;
}

bool cncurses_set_pair(int pair, int foreground, int background) {
    return screen != NULL && init_extended_pair(pair, foreground, background) == OK;
}

static const char *capability(const char *name) {
    const char *value = screen == NULL ? NULL : tigetstr(name);
    return value == (const char *)-1 ? NULL : value;
}

bool cncurses_has_string(const char *name) {
    const char *value = capability(name);
    return value != NULL && *value != 0;
}

bool cncurses_has_flag(const char *name) {
    return screen != NULL && tigetflag(name) == 1;
}

// Copies a capability and leaves out padding, "$<5/>" and its like, which no terminal in use wants.
static size_t copy_unpadded(const char *value, uint8_t *bytes, size_t room) {
    size_t length = 0;
    while (value != NULL && *value != 0) {
        const char *end = value[0] == '$' && value[1] == '<' ? strchr(value, '>') : NULL;
        if (end != NULL) {
            value = end + 1;
            continue;
        }
        if (length == room) return 0;
        bytes[length++] = (uint8_t)*value++;
    }
    return length;
}

size_t cncurses_string(const char *name, uint8_t *bytes, size_t room) {
    return copy_unpadded(capability(name), bytes, room);
}

size_t cncurses_cursor_address(int row, int column, uint8_t *bytes, size_t room) {
    const char *value = capability("cup");
    return value == NULL ? 0 : copy_unpadded(tiparm(value, row, column), bytes, room);
}

bool cncurses_resize(int rows, int columns) {
    if (screen == NULL || rows < 1 || columns < 1) return false;
    bool done = resize_term(rows, columns) == OK;
    cncurses_invalidate();
    return done;
}

void cncurses_invalidate(void) {
    if (screen != NULL) clearok(curscr, TRUE);
}

static attr_t attributes_of(uint8_t bits) {
    attr_t attributes = A_NORMAL;
    if (bits & CNCURSES_BOLD) attributes |= A_BOLD;
    if (bits & CNCURSES_DIM) attributes |= A_DIM;
    if (bits & CNCURSES_UNDERLINE) attributes |= A_UNDERLINE;
    if (bits & CNCURSES_REVERSE) attributes |= A_REVERSE;
    if (bits & CNCURSES_ITALIC) attributes |= A_ITALIC;
    if (bits & CNCURSES_BLINK) attributes |= A_BLINK;
    return attributes;
}

static bool set_cell(cchar_t *place, const wchar_t *text, const CNCursesCell *cell) {
    int pair = cell->pair;
    return setcchar(place, text, attributes_of(cell->attributes), 0, &pair) == OK;
}

// Makes one cell of ours into one of ncurses, or into as many stand-ins as columns were planned for it where the C library gives the
// character another width: columns after it must not move. Returns the number of cells made, 1 or 2.
static size_t convert(const CNCursesCell *cell, cchar_t *places) {
    wchar_t text[4] = {(wchar_t)cell->scalars[0], (wchar_t)cell->scalars[1], (wchar_t)cell->scalars[2], 0};
    bool is_ascii = text[0] >= 0x20 && text[0] < 0x7f;
    int width = is_ascii ? 1 : wcwidth(text[0]);
    if (width == cell->width && set_cell(&places[0], text, cell)) return 1;
    text[1] = 0;
    if (width == cell->width && set_cell(&places[0], text, cell)) return 1;
    if (width != 1 || !set_cell(&places[0], text, cell)) set_cell(&places[0], text[0] == 0x2800 ? L" " : L"?", cell);
    if (cell->width != 2) return 1;
    set_cell(&places[1], L" ", cell);
    return 2;
}

bool cncurses_put(int row, int column, const CNCursesCell *cells, size_t count) {
    enum { BATCH = 256 };
    cchar_t places[BATCH + 2];
    if (screen == NULL || wmove(stdscr, row, column) != OK) return false;
    while (count > 0) {
        size_t made = 0;
        int columns = 0;
        while (count > 0 && made < BATCH) {
            made += convert(cells, &places[made]);
            columns += cells->width;
            cells++;
            count--;
        }
        wadd_wchnstr(stdscr, places, (int)made);
        column += columns;
        if (count > 0 && wmove(stdscr, row, column) != OK) return true;
    }
    return true;
}

size_t cncurses_update(void) {
    if (screen == NULL) return 0;
    wnoutrefresh(stdscr);
    doupdate();
    return sink_size();
}

bool cncurses_take(uint8_t *bytes, size_t count) {
    size_t done = 0;
    while (sink != NULL && done < count) {
        ssize_t got = pread(fileno(sink), bytes + done, count - done, (off_t)done);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) break;
        done += (size_t)got;
    }
    if (sink != NULL) sink_empty();
    return done == count;
}

const char *cncurses_version(void) {
    const char *text = curses_version();
    const char *blank = strchr(text, ' ');
    return blank == NULL ? text : blank + 1;
}
