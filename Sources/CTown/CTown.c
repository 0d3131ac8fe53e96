#include "CTown.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const uint8_t archive[] = {
#embed "town.pmtiles"
};

const uint8_t *ctown_bytes(void) { return archive; }

size_t ctown_byte_count(void) { return sizeof archive; }
