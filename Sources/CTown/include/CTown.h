// The invented town: a PMTiles archive in the program itself. Tools/TownMaker creates its file, `town.pmtiles`.
#ifndef CTOWN_H
#define CTOWN_H

#include <stddef.h>
#include <stdint.h>

// The archive's bytes; valid for as long as the program runs.
const uint8_t *ctown_bytes(void);

// Number of bytes in the archive.
size_t ctown_byte_count(void);

#endif
