#include "CTerminal.h"

#include <sys/prctl.h>
#include <sys/resource.h>

void cterminal_forbid_core_dumps(void) {
    // The limit prevents core dumps to files. The flag also prevents core dumps that the system would send to a program.
    const struct rlimit none = {0, 0};
    setrlimit(RLIMIT_CORE, &none);
    prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
}
