#ifndef CTERMINAL_INTERNAL_H
#define CTERMINAL_INTERNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Every change of the terminal is made between these two calls. The first returns false once the terminal has been restored for good. A
// restoration that begins meanwhile waits for the second.
bool cterminal_begin_use(void);
void cterminal_end_use(void);

// Both may run inside a signal handler.

// Writes all bytes, waiting up to half a second for a terminal that does not accept them. Returns false if it still does not.
bool cterminal_write_patiently(int descriptor, const uint8_t *bytes, size_t count);
// Restores standard error and prints the last lines that were held.
void cterminal_show_held(void);

#endif
