// Measures how fast this machine draws frames like those of a map. Pans a made-up picture of 200x60 Braille cells through ncurses, and
// writes the CPU milliseconds of a frame to the given file. No code of tripwatch is used, so changes to tripwatch do not affect the result.
//
// usage: pan FILE [FRAMES]
#define _XOPEN_SOURCE_EXTENDED 1
#define _GNU_SOURCE 1
#include <curses.h>
#include <locale.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { WARM_UP = 8, PAIRS = 48, RUN = 12 };

static uint32_t mixed(uint32_t x, uint32_t y) {
    uint32_t h = x * 0x9e3779b1u ^ y * 0x85ebca77u;
    h ^= h >> 15;
    h *= 0x2c1b3c6du;
    return h ^ (h >> 12);
}

static void draw(int left, int top) {
    for (int row = 0; row < LINES; row++) {
        for (int column = 0; column < COLS; column++) {
            int x = column + left, y = row + top;
            uint32_t seed = mixed((uint32_t)x, (uint32_t)y);
            wchar_t text[2] = {seed % 2 ? (wchar_t)(0x2800 + (seed >> 8) % 256) : L' ', 0};
            cchar_t cell;
            setcchar(&cell, text, A_NORMAL, (short)(1 + mixed((uint32_t)(x / RUN), (uint32_t)y) % PAIRS), NULL);
            mvadd_wch(row, column, &cell);
        }
    }
    refresh();
}

static double milliseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return 1e3 * (double)now.tv_sec + 1e-6 * (double)now.tv_nsec;
}

int main(int count, char **arguments) {
    if (count < 2) return 64;
    int frames = count > 2 ? atoi(arguments[2]) : 200;
    setlocale(LC_ALL, "C.UTF-8");
    initscr();
    // Without these two calls, ncurses writes at every move of the cursor, and the time of write(2) would be measured.
    endwin();
    doupdate();
    start_color();
    for (short pair = 1; pair <= PAIRS; pair++) init_pair(pair, (short)(17 + pair * 4 % 214), (short)(232 + pair % 6));
    double began = 0;
    for (int frame = 0; frame < frames + WARM_UP; frame++) {
        if (frame == WARM_UP) began = milliseconds();
        // Moves the map as the keys l, l, h, h would.
        draw(frame % 4 < 2 ? frame % 4 * 3 : (4 - frame % 4) * 3, 0);
    }
    double each = (milliseconds() - began) / frames;
    endwin();
    FILE *out = fopen(arguments[1], "w");
    if (!out) return 1;
    fprintf(out, "%.4f\n", each);
    return fclose(out) ? 1 : 0;
}
