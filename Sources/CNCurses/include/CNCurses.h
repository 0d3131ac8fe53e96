// Plain functions over ncursesw: macros, variadics and mutable globals stay on the other side, because Swift can use none of them.
//
// ncurses is used for what it does best, finding the shortest way from one picture to the next. It never touches the terminal: its output
// goes to a memory file and is taken from there, so that the caller knows how much there is, can wait for a slow line and be killed at
// any moment. It knows of each cell only whether it is another one than before: its output has stand-ins of ASCII, erasures and moves of the
// cursor, and the caller puts characters, colours and attributes in. All functions must be called by one and the same thread.
#ifndef CNCURSES_H
#define CNCURSES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// One place of the screen as ncurses is told of it.
typedef struct {
    // A number of the caller's. Cells that differ in it alone are different cells. The blanks of a cleared screen have 0.
    uint16_t pair;
    // A blank, which ncurses may erase, or another character of ASCII.
    uint8_t character;
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
// The bytes that a capability with a number in it, such as "setaf", makes of one.
size_t cncurses_color(const char *name, int number, uint8_t *bytes, size_t room);

// Changes the size, both at least 1; then as `cncurses_invalidate`.
bool cncurses_resize(int rows, int columns);
// The next update clears the screen, whatever the terminal shows now, and paints what is written until then.
void cncurses_invalidate(void);
// The columns that the C library gives a character, -1 for one that it cannot write.
int cncurses_width(uint32_t character);
// Writes cells from a place on. False when the place is outside.
bool cncurses_put(int row, int column, const CNCursesCell *cells, size_t count);
// Works out the bytes that bring the terminal from the last picture to this one and returns how many they are.
size_t cncurses_update(void);
// Copies the bytes of the last update to `bytes`, which must have room for them, and forgets them. False when they cannot be read.
bool cncurses_take(uint8_t *bytes, size_t count);

// "6.4.20221231"
const char *cncurses_version(void);

#endif
