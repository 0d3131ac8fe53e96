// A plain function over libqrencode, whose own interface is a struct of pointers that the caller frees.
#ifndef CQRCODE_H
#define CQRCODE_H

#include <stddef.h>
#include <stdint.h>

// The width of the largest code (version 40), in modules.
enum { CQRCODE_LARGEST_WIDTH = 177 };

// Creates the QR code of a text that ends with a zero byte. The code has the smallest size, the lowest level of error correction and no
// quiet zone. Writes one byte per module to `modules`, row by row: 1 for a dark module, 0 for a light one. `modules` must have at least
// `room` bytes. Returns the number of modules per side; 0 if the text is empty or does not fit.
size_t cqrcode_encode(const char *text, uint8_t *modules, size_t room);

#endif
