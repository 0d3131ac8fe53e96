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
// term.h defines macros with names that are needed here.
#undef columns
#undef lines

#include <errno.h>
#include <langinfo.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <wchar.h>

enum { MOST_COLUMNS = 2000 };

static SCREEN *screen;
static FILE *sink;
// Whether the C library writes UTF-8.
static bool is_utf8;
// Whether the terminal's own colours can be part of a pair.
static bool has_default_colors;

// Number of bytes in the sink.
static size_t sink_size(void) {
    off_t end = lseek(fileno(sink), 0, SEEK_CUR);
    return end > 0 ? (size_t)end : 0;
}

// Empties the sink. The pages of a typical frame are kept, since freeing and allocating pages takes longer than writing them.
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
    // The caller sets the size, so ncurses must not take it from the environment. use_tioctl is still needed: without
    // it, ncurses does not fall back to 24 x 80 for terminal types without a size.
    use_env(FALSE);
    use_tioctl(TRUE);
    screen = newterm(terminal_type, sink, sink);
    if (screen == NULL) {
        cncurses_close();
        return false;
    }
    set_term(screen);
    // Without this, ncurses interrupts an update when there is input to read.
    typeahead(-1);
    nonl();
    // The cursor is hidden, so it may stay wherever the last change leaves it.
    leaveok(stdscr, TRUE);
    has_default_colors = has_colors() && start_color() == OK && use_default_colors() == OK;
    is_utf8 = strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
    // Unless endwin and doupdate are called first, ncurses flushes its output at each move of the cursor.
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

// Copies a capability without padding such as "$<5/>", which no terminal in use needs.
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
    if (screen == NULL) return;
    clearok(curscr, TRUE);
    werase(stdscr);
}

int cncurses_width(uint32_t character) {
    if (character >= 0x20 && character < 0x7f) return 1;
    // Only UTF-8 is supported outside ASCII, because other character sets encode these characters differently.
    if (!is_utf8) return -1;
    return character >= 0x2800 && character < 0x2900 ? 1 : wcwidth((wchar_t)character);
}

bool cncurses_set_pair(int pair, int foreground, int background) {
    if (screen == NULL) return false;
    if (foreground < 0 && !has_default_colors) foreground = COLOR_WHITE;
    if (background < 0 && !has_default_colors) background = COLOR_BLACK;
    return init_extended_pair(pair, foreground, background) == OK;
}

void cncurses_reset_pairs(void) {
    if (screen == NULL) return;
    reset_color_pairs();
    // `reset_color_pairs` also changes pair 0, to black on black. This call sets it to the terminal's own colours.
    if (has_default_colors) use_default_colors();
}

static attr_t attributes_of(uint32_t bits) {
    static const attr_t known[] = {A_BOLD, A_DIM, A_UNDERLINE, A_REVERSE, A_ITALIC, A_BLINK};
    attr_t attributes = A_NORMAL;
    for (size_t bit = 0; bit < sizeof known / sizeof *known; bit++)
        if (bits & 1u << bit) attributes |= known[bit];
    return attributes;
}

bool cncurses_put_row(int row, const CNCursesCell *cells, size_t count) {
    static cchar_t places[MOST_COLUMNS];
    if (screen == NULL || count == 0 || count > MOST_COLUMNS) return false;
    for (size_t index = 0; index < count; index++) {
        const CNCursesCell *cell = &cells[index];
        if (index > 0 && cell->pair == cell[-1].pair && cell->attributes == cell[-1].attributes)
            places[index] = places[index - 1];
        else
            setcchar(&places[index], L" ", attributes_of(cell->attributes), 0, &cell->pair);
        for (int part = 0; part < CNCURSES_CHARACTERS; part++) places[index].chars[part] = (wchar_t)cell->characters[part];
    }
    return mvadd_wchnstr(row, 0, places, (int)count) == OK;
}

bool cncurses_shift_left(int row, int columns) {
    if (screen == NULL || columns < 1 || columns >= getmaxx(stdscr)) return false;
    int left = getmaxx(stdscr) - columns;
    return copywin(curscr, stdscr, row, columns, row, 0, row, left - 1, FALSE) == OK && wmove(stdscr, row, left) == OK
        && wclrtoeol(stdscr) == OK;
}

size_t cncurses_update(void) {
    if (screen == NULL) return 0;
    refresh();
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
