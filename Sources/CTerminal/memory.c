#define _GNU_SOURCE

#include "CTerminal.h"

#include <link.h>
#include <malloc.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

// Segments that nothing has written to: whatever is looked at again comes from the file's cache. Those with relocations are none of them.
static int give_back(struct dl_phdr_info *object, size_t size, void *raw) {
    (void)size;
    (void)raw;
    // The kernel's own is no file.
    if (strncmp(object->dlpi_name, "linux-vdso", 10) == 0) return 0;
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    for (size_t index = 0; index < object->dlpi_phnum; index++) {
        const ElfW(Phdr) *segment = &object->dlpi_phdr[index];
        if (segment->p_type != PT_LOAD || (segment->p_flags & PF_W) != 0) continue;
        uintptr_t start = object->dlpi_addr + segment->p_vaddr, end = start + segment->p_memsz;
        start = (start + page - 1) & ~(page - 1);
        end &= ~(page - 1);
        if (start < end) madvise((void *)start, end - start, MADV_DONTNEED);
    }
    return 0;
}

void cterminal_give_back_memory(void) {
    dl_iterate_phdr(give_back, NULL);
    malloc_trim(0);
}

void cterminal_use_one_heap(void) {
    mallopt(M_ARENA_MAX, 1);
}
