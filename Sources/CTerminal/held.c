// Redirects standard error to a memory file while the screen is up.
#define _GNU_SOURCE

#include "CTerminal.h"
#include "internal.h"

#include <fcntl.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { SHOWN_ERROR = 64 * 1024 };

// The descriptors that are open while standard error is held; -1 at other times.
static struct {
    _Atomic int memory;
    _Atomic int original;
} held = {.memory = -1, .original = -1};

bool cterminal_hold_error(void) {
    if (atomic_load(&held.original) >= 0 || !isatty(STDERR_FILENO)) return false;
    int memory = memfd_create("standard error", MFD_CLOEXEC);
    int original = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 10);
    if (memory < 0 || original < 0 || fcntl(memory, F_SETFL, O_APPEND) != 0 || dup2(memory, STDERR_FILENO) < 0) {
        if (memory >= 0) close(memory);
        if (original >= 0) close(original);
        return false;
    }
    atomic_store(&held.memory, memory);
    atomic_store(&held.original, original);
    return true;
}

size_t cterminal_held_size(void) {
    struct stat status;
    int memory = atomic_load(&held.memory);
    return memory >= 0 && fstat(memory, &status) == 0 ? (size_t)status.st_size : 0;
}

size_t cterminal_read_held(size_t offset, uint8_t *bytes, size_t room) {
    ssize_t count = pread(atomic_load(&held.memory), bytes, room, (off_t)offset);
    return count > 0 ? (size_t)count : 0;
}

void cterminal_forget_held(void) {
    int memory = atomic_load(&held.memory);
    if (memory < 0) return;
    int ignored = ftruncate(memory, 0);
    (void)ignored;
}

void cterminal_release_error(void) {
    int original = atomic_exchange(&held.original, -1);
    int memory = atomic_exchange(&held.memory, -1);
    if (original >= 0) {
        dup2(original, STDERR_FILENO);
        close(original);
    }
    if (memory >= 0) close(memory);
}

void cterminal_show_held(void) {
    int original = atomic_exchange(&held.original, -1);
    int memory = atomic_load(&held.memory);
    if (original < 0) return;
    dup2(original, STDERR_FILENO);
    struct stat status;
    if (fstat(memory, &status) != 0) return;
    off_t offset = status.st_size > SHOWN_ERROR ? status.st_size - SHOWN_ERROR : 0;
    uint8_t bytes[512];
    ssize_t count;
    while ((count = pread(memory, bytes, sizeof bytes, offset)) > 0) {
        if (!cterminal_write_patiently(original, bytes, (size_t)count)) return;
        offset += count;
    }
}
