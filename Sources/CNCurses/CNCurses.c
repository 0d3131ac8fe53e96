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
#include <langinfo.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <wchar.h>

static SCREEN *screen;
static FILE *sink;
// Whether the C library writes UTF-8.
static bool is_utf8;

// What the terminal would have got so far.
static size_t sink_size(void) {
    off_t end = lseek(fileno(sink), 0, SEEK_CUR);
    return end > 0 ? (size_t)end : 0;
}

// The file keeps the pages of usual pictures: to give them back and get new ones takes longer than to write them.
static void sink_empty(void) {
    enum { KEPT = 1 << 18 };
    if (sink_size() > KEPT) (void)!ftruncate(fileno(sink), 0);
    lseek(fileno(sink), 0, SEEK_SET);
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
    // What goes straight to the next picture does not pass through a window.
    leaveok(newscr, TRUE);
    scrollok(newscr, FALSE);
    idlok(stdscr, FALSE);
    // What is shifted leaves the place that the caller knows it at.
    idcok(stdscr, FALSE);
    is_utf8 = strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
    // A screen that never came back from the shell is flushed at each move of the cursor.
    endwin();
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

int cncurses_number(const char *name) {
    int value = screen == NULL ? -1 : tigetnum(name);
    return value < 0 ? -1 : value;
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

size_t cncurses_color(const char *name, int number, uint8_t *bytes, size_t room) {
    const char *value = capability(name);
    return value == NULL ? 0 : copy_unpadded(tiparm(value, number), bytes, room);
}

bool cncurses_resize(int rows, int columns) {
    if (screen == NULL || rows < 1 || columns < 1) return false;
    bool done = resize_term(rows, columns) == OK;
    cncurses_invalidate();
    return done;
}

void cncurses_invalidate(void) {
    if (screen == NULL) return;
    clearok(curscr, TRUE);
    // What the caller does not write is blank.
    werase(newscr);
}

int cncurses_width(uint32_t character) {
    if (character >= 0x20 && character < 0x7f) return 1;
    // Without UTF-8 no two encodings are alike.
    if (!is_utf8) return -1;
    return character >= 0x2800 && character < 0x2900 ? 1 : wcwidth((wchar_t)character);
}

// A blank of a pair. A pair without colours, which ncurses was not told of, makes cells differ and nothing more.
static cchar_t blank_of(int pair) {
    cchar_t blank;
    memset(&blank, 0, sizeof blank);
    setcchar(&blank, L" ", A_NORMAL, 0, &pair);
    return blank;
}

enum { BATCH = 256 };

// Writes up to a batch of cells, and returns how many: the first ones whose pairs the short form of a cell has room for, which costs ncurses a
// fifth of the long one.
static size_t put_short(const CNCursesCell *cells, size_t count) {
    chtype places[BATCH];
    size_t made = 0;
    for (; made < count && made < BATCH && cells[made].pair < 256; made++)
        places[made] = (chtype)cells[made].character | (chtype)COLOR_PAIR(cells[made].pair);
    if (made > 0) waddchnstr(newscr, places, (int)made);
    return made;
}

// As put_short, those that there is no room for.
static size_t put_long(const CNCursesCell *cells, size_t count) {
    cchar_t places[BATCH];
    size_t made = 0;
    for (; made < count && made < BATCH && cells[made].pair >= 256; made++) {
        places[made] = blank_of(cells[made].pair);
        places[made].chars[0] = (wchar_t)cells[made].character;
    }
    if (made > 0) wadd_wchnstr(newscr, places, (int)made);
    return made;
}

bool cncurses_put(int row, int column, const CNCursesCell *cells, size_t count) {
    if (screen == NULL || count == 0) return false;
    for (size_t done = 0; done < count;) {
        if (wmove(newscr, row, column + (int)done) != OK) return done > 0;
        const CNCursesCell *next = cells + done;
        done += next->pair < 256 ? put_short(next, count - done) : put_long(next, count - done);
    }
    return true;
}

size_t cncurses_update(void) {
    if (screen == NULL) return 0;
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
