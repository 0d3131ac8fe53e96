// Plain functions over ncursesw: macros, variadics and mutable globals stay on the other side, because Swift can use none of them.
//
// ncurses finds the shortest way from one picture to the next. It never touches the terminal: its output goes to a memory file and is taken
// from there unchanged, so that the caller knows how much there is, can wait for a slow line and be killed at any moment. All functions must
// be called by one and the same thread.
#ifndef CNCURSES_H
#define CNCURSES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { CNCURSES_CHARACTERS = 3 };

// A character, in one or two places of the screen.
typedef struct {
    // A base character and up to two combining marks; 0 for no mark.
    uint32_t characters[CNCURSES_CHARACTERS];
    // From the lowest bit: bold, dim, underline, reverse, italic, blink. ncurses leaves out what the terminal lacks.
    uint32_t attributes;
    // The number of a colour pair; 0 for the terminal's own colours.
    int32_t pair;
} CNCursesCell;

// Loads the description of the terminal type and makes a screen of 24 x 80 in memory. False when the type is not known or memory is short.
bool cncurses_open(const char *terminal_type);
// Gives everything back. Does nothing when no screen is open.
void cncurses_close(void);

// Whether the terminal type has a string capability (terminfo name), a boolean one.
bool cncurses_has_string(const char *name);
bool cncurses_has_flag(const char *name);
// A number capability, -1 where it is absent.
int cncurses_number(const char *name);
// Copies a string capability without its padding and returns its length; 0 when it is absent or longer than the room.
size_t cncurses_string(const char *name, uint8_t *bytes, size_t room);
// The bytes that put the cursor to a row and column, counted from 0.
size_t cncurses_cursor_address(int row, int column, uint8_t *bytes, size_t room);

// Changes the size, both at least 1; then as `cncurses_invalidate`.
bool cncurses_resize(int rows, int columns);
// The next update clears the screen, whatever the terminal shows now, and paints what is written until then.
void cncurses_invalidate(void);
// The columns that the C library gives a character, -1 for one that it cannot write.
int cncurses_width(uint32_t character);
// Gives a number from 1 on to a pair of colours as terminfo numbers them, -1 for the terminal's own. False when there are no more pairs.
bool cncurses_set_pair(int pair, int foreground, int background);
// Forgets all pairs. The next update clears the screen and paints it.
void cncurses_reset_pairs(void);
// Writes a row from its first place on. False when the row is outside.
bool cncurses_put_row(int row, const CNCursesCell *cells, size_t count);
// Moves what the screen shows in a row to the left and leaves blanks behind it. False when the row is outside.
bool cncurses_shift_left(int row, int columns);
// Works out the bytes that bring the terminal from the last picture to this one. Returns how many bytes wait to be taken.
size_t cncurses_update(void);
// Copies the bytes that wait to `bytes`, which must have room for them, and forgets them. False when they cannot be read.
bool cncurses_take(uint8_t *bytes, size_t count);

// "6.4.20221231"
const char *cncurses_version(void);

#endif
