// The invented town: a PMTiles archive in the program itself. Tools/TownMaker makes the file beside this folder.
#ifndef CTOWN_H
#define CTOWN_H

#include <stddef.h>
#include <stdint.h>

// The archive's first byte; it lies there for as long as the program runs.
const uint8_t *ctown_bytes(void);

// How many bytes the archive has.
size_t ctown_byte_count(void);

#endif
