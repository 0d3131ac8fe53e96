// Plain functions over the system's zlib, whose own interface is macros and a struct of pointers that Swift cannot use safely.
#ifndef CZLIB_H
#define CZLIB_H

#include <stddef.h>
#include <stdint.h>

// The outcome of a decompression or a compression.
typedef enum {
    // All bytes were decompressed or compressed.
    CZLIB_DONE = 0,
    // The result is larger than the room.
    CZLIB_FULL = 1,
    // The bytes end before the compressed data.
    CZLIB_TRUNCATED = 2,
    // The bytes are neither gzip nor zlib, a checksum is wrong, or there are at least 4 GiB of them.
    CZLIB_BROKEN = 3,
    // There is not enough memory for zlib's state.
    CZLIB_NO_MEMORY = 4
} CZlibResult;

// Decompresses gzip (RFC 1952, also several members in sequence) or zlib (RFC 1950), detected from the first bytes. Writes at most `room`
// bytes to `output` and their number to `written`, with every result. Trailing bytes that begin no further gzip member are ignored, as in
// gzip(1).
CZlibResult czlib_inflate(const uint8_t *input, size_t count, uint8_t *output, size_t room, size_t *written);

// Compresses to a gzip file of one member, for speed instead of size. Writes at most `room` bytes to `output` and their number to
// `written`, with every result.
CZlibResult czlib_gzip(const uint8_t *input, size_t count, uint8_t *output, size_t room, size_t *written);

#endif
