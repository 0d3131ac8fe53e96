// Plain functions over ncursesw: macros, variadics and mutable globals stay on the other side, because Swift can use none of them.
//
// ncurses is used for what it does best, finding the shortest way from one picture to the next. It never touches the terminal: its output
// goes to a memory file and is taken from there, so that the caller knows how much there is, can wait for a slow line and be killed at
// any moment. All functions must be called by one and the same thread.
#ifndef CNCURSES_H
#define CNCURSES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Bits of CNCursesCell.attributes.
enum {
    CNCURSES_BOLD = 1,
    CNCURSES_DIM = 2,
    CNCURSES_UNDERLINE = 4,
    CNCURSES_REVERSE = 8,
    CNCURSES_ITALIC = 16,
    CNCURSES_BLINK = 32
};

// One place of the screen as ncurses is told of it.
typedef struct {
    // The base character, then up to two combining marks; 0 where there is none.
    uint32_t scalars[3];
    // A colour pair that cncurses_set_pair defined, or 0 for the terminal's own colours.
    int32_t pair;
    uint8_t attributes;
    // 1, or 2 for a character that takes two columns. Right halves are left out of a run.
    uint8_t width;
} CNCursesCell;

// Loads the description of the terminal type and makes a screen of 24 x 80 in memory. False when the type is not known or memory is short.
bool cncurses_open(const char *terminal_type);
// Gives everything back. Does nothing when no screen is open.
void cncurses_close(void);

// Colours the terminal type has, 0 when it has none, 1 << 24 for direct colour.
int cncurses_colors(void);
// Colour pairs that can be defined, pair 0 counted; at most 32768.
int cncurses_pairs(void);
// Defines a pair, 1 up to cncurses_pairs() - 1; -1 is the terminal's own colour. A pair may be defined anew after cncurses_invalidate().
// False when ncurses refuses.
bool cncurses_set_pair(int pair, int foreground, int background);

// Whether the terminal type has a string capability (terminfo name), a boolean one.
bool cncurses_has_string(const char *name);
bool cncurses_has_flag(const char *name);
// Copies a string capability without its padding and returns its length; 0 when it is absent or longer than the room.
size_t cncurses_string(const char *name, uint8_t *bytes, size_t room);
// The bytes that put the cursor to a row and column, counted from 0.
size_t cncurses_cursor_address(int row, int column, uint8_t *bytes, size_t room);

// Changes the size, both at least 1; the next update paints everything.
bool cncurses_resize(int rows, int columns);
// The next update paints everything, whatever the terminal shows now.
void cncurses_invalidate(void);
// Writes cells from a place on. False when the place is outside.
bool cncurses_put(int row, int column, const CNCursesCell *cells, size_t count);
// Works out the bytes that bring the terminal from the last picture to this one and returns how many they are.
size_t cncurses_update(void);
// Copies the bytes of the last update to `bytes`, which must have room for them, and forgets them. False when they cannot be read.
bool cncurses_take(uint8_t *bytes, size_t count);

// "6.4.20221231"
const char *cncurses_version(void);

#endif
