// A C function that calls the system's zlib. Swift cannot use zlib's own interface safely, because it consists of macros and a struct of
// pointers.
#ifndef CDEFLATE_H
#define CDEFLATE_H

#include <stddef.h>
#include <stdint.h>

// Compresses `input` to gzip (RFC 1952) at zlib's highest level. The header has no file name and no time. Returns the number of bytes
// written; 0 if `output` is too small or memory is lacking.
size_t cdeflate_gzip(const uint8_t *input, size_t count, uint8_t *output, size_t room);

#endif
