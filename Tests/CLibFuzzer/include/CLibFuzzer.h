#ifndef CLIBFUZZER_H
#define CLIBFUZZER_H

#include <stddef.h>
#include <stdint.h>

// The driver of clang's libFuzzer (https://llvm.org/docs/LibFuzzer.html). It is linked into builds with `--sanitize fuzzer` only.
int LLVMFuzzerRunDriver(int *argc, char ***argv, int (*callback)(const uint8_t *data, size_t size));

#endif
