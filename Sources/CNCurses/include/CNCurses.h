// Plain functions over ncursesw. They hide its macros, variadic functions and mutable globals, which Swift cannot use.
//
// ncurses computes the shortest output from one frame to the next. It never writes to the terminal. Its output goes to a memory file, from
// which the caller takes it unchanged. The caller thus knows the size of the output and can wait for a slow connection. All functions must
// be called on the same thread.
#ifndef CNCURSES_H
#define CNCURSES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { CNCURSES_CHARACTERS = 3 };

// A character in one or two cells of the screen.
typedef struct {
    // A base character and up to two combining marks; 0 for no mark.
    uint32_t characters[CNCURSES_CHARACTERS];
    // From the lowest bit: bold, dim, underline, reverse, italic, blink. ncurses omits attributes that the terminal lacks.
    uint32_t attributes;
    // The number of a colour pair; 0 for the terminal's own colours.
    int32_t pair;
} CNCursesCell;

// Loads the description of the terminal type and creates a screen in memory. The screen has the size in the description, or 24 x 80 if the
// description has no size. Returns false if a screen is already open, the type is unknown, or there is not enough memory.
bool cncurses_open(const char *terminal_type);
// Frees the screen. Does nothing if no screen is open.
void cncurses_close(void);

// Whether the terminal type has the string capability, or the boolean capability, with this terminfo name.
bool cncurses_has_string(const char *name);
bool cncurses_has_flag(const char *name);
// The value of a number capability; -1 if it is absent.
int cncurses_number(const char *name);
// Copies a string capability without its padding and returns its length; 0 if it is absent or longer than the room.
size_t cncurses_string(const char *name, uint8_t *bytes, size_t room);
// Copies the bytes that move the cursor to a row and column, counted from 0. Returns their number; 0 if they are unknown or do not fit.
size_t cncurses_cursor_address(int row, int column, uint8_t *bytes, size_t room);

// Changes the size and invalidates the screen, as `cncurses_invalidate` does. Returns false if the new size cannot be used.
bool cncurses_resize(int rows, int columns);
// Erases all rows. The next update clears the terminal, whatever it shows, and paints the rows that were written between this call and the
// update.
void cncurses_invalidate(void);
// The width of a character according to the C library, in columns; -1 if the library cannot write the character.
int cncurses_width(uint32_t character);
// Assigns a number, from 1 on, to a pair of colours. A colour is a terminfo colour number, or -1 for the terminal's own. If pairs cannot
// have the terminal's own colours, -1 means white on black. Returns false if no more pairs are available.
bool cncurses_set_pair(int pair, int foreground, int background);
// Frees all pairs. The next update clears the screen and paints it.
void cncurses_reset_pairs(void);
// Writes a row from its first cell. Returns false if the row is outside the screen, or if `count` is not 1 to 2,000.
bool cncurses_put_row(int row, const CNCursesCell *cells, size_t count);
// Moves the contents of a row to the left and fills the right end with blanks. Returns false if the row is outside the screen, if `columns`
// is below 1, or if `columns` is not less than the width of the screen.
bool cncurses_shift_left(int row, int columns);
// Computes the bytes that change the terminal from the last frame to this one. Returns the number of bytes to take.
size_t cncurses_update(void);
// Moves the computed bytes to `bytes`, which must have room for them. Returns false if they cannot be read.
bool cncurses_take(uint8_t *bytes, size_t count);

// The version of ncurses, such as "6.4.20221231".
const char *cncurses_version(void);

#endif
