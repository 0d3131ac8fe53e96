// A plain function over libqrencode, whose own interface is a struct of pointers that the caller frees.
#ifndef CQRCODE_H
#define CQRCODE_H

#include <stddef.h>
#include <stdint.h>

// The widest code that there is (version 40), modules a side.
enum { CQRCODE_LARGEST_WIDTH = 177 };

// Makes the QR code of a text that ends with a zero byte: as small as it can be, of the lowest level of error correction, without its quiet
// zone. Writes one byte a module, row by row, 1 for a dark one, to `modules`, which holds at least `room` bytes.
// Returns the modules of a side; 0 for a text that is empty or does not fit.
size_t cqrcode_encode(const char *text, uint8_t *modules, size_t room);

#endif
