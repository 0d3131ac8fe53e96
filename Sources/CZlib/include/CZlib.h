// A plain function over the system's zlib, whose own interface is macros and a struct of pointers that Swift cannot use safely.
#ifndef CZLIB_H
#define CZLIB_H

#include <stddef.h>
#include <stdint.h>

// The outcome of a decompression.
typedef enum {
    // All of them were decompressed.
    CZLIB_DONE = 0,
    // More would come out than there is room for.
    CZLIB_FULL = 1,
    // The bytes end before the compressed data do.
    CZLIB_TRUNCATED = 2,
    // They are neither gzip nor zlib, or a check sum is wrong.
    CZLIB_BROKEN = 3,
    // zlib got no memory for its window.
    CZLIB_NO_MEMORY = 4
} CZlibResult;

// Decompresses gzip (RFC 1952, also several members one after the other) or zlib (RFC 1950); the first bytes tell which. Writes at most
// `room` bytes to `output` and their number to `written`, with every result. Bytes after the end that begin no further gzip member are
// ignored, as gzip(1) does.
CZlibResult czlib_inflate(const uint8_t *input, size_t count, uint8_t *output, size_t room, size_t *written);

#endif
