#define _GNU_SOURCE

#include "CTerminal.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { SIGNAL_STACK_SIZE = 64 * 1024 };

// The stack must be mapped instead of allocated, since the heap may be in any state after a crash.
static void *install_signal_stack(void) {
    stack_t present;
    if (sigaltstack(NULL, &present) == 0 && (present.ss_flags & SS_DISABLE) == 0) return NULL;
    void *memory = mmap(NULL, SIGNAL_STACK_SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) return NULL;
    stack_t stack = {.ss_sp = memory, .ss_size = SIGNAL_STACK_SIZE};
    if (sigaltstack(&stack, NULL) == 0) return memory;
    munmap(memory, SIGNAL_STACK_SIZE);
    return NULL;
}

void cterminal_make_signal_stack(void) {
    install_signal_stack();
}

typedef struct {
    char name[16];
    void (*function)(void *);
    void *argument;
} Start;

static void *run(void *raw) {
    Start start = *(Start *)raw;
    free(raw);
    pthread_setname_np(pthread_self(), start.name);
    void *memory = install_signal_stack();
    start.function(start.argument);
    if (memory != NULL) {
        stack_t none = {.ss_flags = SS_DISABLE};
        sigaltstack(&none, NULL);
        munmap(memory, SIGNAL_STACK_SIZE);
    }
    return NULL;
}

bool cterminal_start_thread(const char *name, void (*function)(void *), void *argument) {
    Start *start = calloc(1, sizeof *start);
    if (start == NULL) return false;
    strncpy(start->name, name, sizeof start->name - 1);
    start->function = function;
    start->argument = argument;
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    pthread_t thread;
    bool is_running = pthread_create(&thread, &attributes, run, start) == 0;
    pthread_attr_destroy(&attributes);
    if (!is_running) free(start);
    return is_running;
}
