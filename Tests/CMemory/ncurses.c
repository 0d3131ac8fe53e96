#include "CNCurses.h"
#include "memory.h"

#include <locale.h>
#include <string.h>

// Draws rows with all attributes, several colour pairs and combining marks, and takes the output.
static void draws(int rows, int columns) {
    CNCursesCell *cells = calloc((size_t)columns, sizeof *cells);
    for (int column = 0; column < columns; column++)
        cells[column] = (CNCursesCell){
            .characters = {column % 3 == 0 ? 0x2800u + (uint32_t)column % 256 : 'a' + (uint32_t)column % 26, column % 7 == 0 ? 0x301 : 0},
            .attributes = (uint32_t)column % 64, .pair = column % 4};
    for (int row = -1; row <= rows; row++) CHECK(cncurses_put_row(row, cells, (size_t)columns) == (row >= 0 && row < rows));
    size_t size = cncurses_update();
    uint8_t *bytes = malloc(size + 1);
    CHECK(size > 0 && cncurses_take(bytes, size));
    free(bytes);
    cncurses_shift_left(0, 1);
    cncurses_shift_left(rows, 1);
    cncurses_shift_left(0, columns);
    size = cncurses_update();
    bytes = malloc(size + 1);
    CHECK(cncurses_take(bytes, size));
    free(bytes);
    free(cells);
}

static void asks_for_capabilities(void) {
    uint8_t bytes[64];
    cncurses_has_string("smcup");
    cncurses_has_flag("bce");
    CHECK(!cncurses_has_string("nothing") && !cncurses_has_flag("nothing") && cncurses_number("nothing") == -1);
    CHECK(cncurses_string("nothing", bytes, sizeof bytes) == 0 && cncurses_string("clear", bytes, 0) == 0);
    CHECK(cncurses_string("clear", bytes, sizeof bytes) > 0);
    CHECK(cncurses_cursor_address(3, 1999, bytes, sizeof bytes) > 0 && cncurses_cursor_address(3, 1999, bytes, 2) == 0);
}

static void uses_terminal(const char *type) {
    CHECK(cncurses_open(type) && !cncurses_open(type));
    asks_for_capabilities();
    for (int pair = 1; pair < 4; pair++) cncurses_set_pair(pair, pair, -1);
    cncurses_set_pair(1 << 20, 1 << 24, 1 << 24);
    draws(24, 80);
    CHECK(!cncurses_resize(0, 80) && !cncurses_resize(24, -1));
    CHECK(cncurses_resize(1, 1));
    draws(1, 1);
    CHECK(cncurses_resize(6, 2000));
    draws(6, 2000);
    CNCursesCell cell = {0};
    CHECK(!cncurses_put_row(0, &cell, 0) && !cncurses_put_row(0, &cell, 2001));
    cncurses_reset_pairs();
    draws(6, 2000);
    cncurses_close();
}

int main(void) {
    setlocale(LC_CTYPE, "C.UTF-8");
    int before = open_descriptors();
    CHECK(!cncurses_open("no-such-terminal"));
    CHECK(!cncurses_has_string("clear") && cncurses_update() == 0 && !cncurses_take(NULL, 1) && !cncurses_resize(24, 80));
    cncurses_close();
    const char *types[] = {"xterm-256color", "linux", "vt100", "dumb"};
    for (size_t index = 0; index < sizeof types / sizeof *types; index++) {
        // The terminal type `dumb` cannot clear the screen, so nothing is drawn on it.
        if (strcmp(types[index], "dumb") != 0) uses_terminal(types[index]);
        else if (cncurses_open("dumb")) cncurses_close();
    }
    CHECK(cncurses_width('a') == 1 && cncurses_width(0x2800) == 1);
    cncurses_width(0x10ffff);
    cncurses_width(0xffffffff);
    CHECK(strlen(cncurses_version()) > 2);
    CHECK(open_descriptors() == before);
    return 0;
}
