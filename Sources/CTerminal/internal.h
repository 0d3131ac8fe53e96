#ifndef CTERMINAL_INTERNAL_H
#define CTERMINAL_INTERNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Every change to the terminal is made between these two calls. The first call returns false once the terminal has been restored for good.
// A restoration that begins between the two calls waits for the second one.
bool cterminal_begin_use(void);
void cterminal_end_use(void);

// The two functions below may run inside a signal handler.

// Writes all bytes. Waits up to half a second for a terminal that does not accept them, and then returns false.
bool cterminal_write_patiently(int descriptor, const uint8_t *bytes, size_t count);
// Restores standard error and prints the end of the held text.
void cterminal_show_held(void);

#endif
