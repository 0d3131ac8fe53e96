#define _GNU_SOURCE

#include "CTerminal.h"
#include "memory.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static int master;

// Creates a pseudo-terminal and opens it by its name.
static int opens_terminal(void) {
    master = posix_openpt(O_RDWR | O_NOCTTY);
    CHECK(master >= 0 && grantpt(master) == 0 && unlockpt(master) == 0);
    char name[100];
    CHECK(ptsname_r(master, name, sizeof name) == 0);
    int terminal = cterminal_open(name);
    CHECK(terminal >= 0 && cterminal_open("/dev/null") == -1 && errno == ENOTTY && cterminal_open("/nowhere") == -1);
    return terminal;
}

static void guards(int terminal) {
    int wake = cterminal_wake_descriptor();
    CHECK(wake >= 0 && wake == cterminal_wake_descriptor());
    CHECK(cterminal_guard(terminal, wake) && !cterminal_guard(terminal, wake));
    uint8_t bytes[1025] = {'x'};
    CHECK(cterminal_arm(bytes, 0) && cterminal_arm(bytes, 1024) && !cterminal_arm(bytes, 1025));
    raise(SIGWINCH);
    raise(SIGPIPE);
    CHECK(cterminal_take_signals() == UINT64_C(1) << SIGWINCH && cterminal_take_signals() == 0);
    cterminal_drain(wake);
    cterminal_unguard();
}

static void holds_errors(int terminal) {
    int saved = dup(STDERR_FILENO);
    dup2(terminal, STDERR_FILENO);
    bool is_held = cterminal_hold_error();
    CHECK(!cterminal_hold_error());
    for (int line = 0; line < 2000; line++) (void)!write(STDERR_FILENO, "a line that is not shown yet, of sixty-odd bytes in all\n", 56);
    size_t size = cterminal_held_size();
    uint8_t *bytes = malloc(size);
    size_t read = cterminal_read_held(0, bytes, size), beyond = cterminal_read_held(size, bytes, size);
    cterminal_forget_held();
    (void)!write(STDERR_FILENO, "last words\n", 11);
    cterminal_release_error();
    cterminal_release_error();
    dup2(saved, STDERR_FILENO);
    close(saved);
    CHECK(is_held && size == 2000 * 56 && read == size && beyond == 0);
    free(bytes);
}

static _Atomic int runs;

static void count(void *argument) {
    CHECK(argument == &runs);
    atomic_fetch_add(&runs, 1);
}

static void starts_threads(void) {
    for (int number = 0; number < 20; number++) CHECK(cterminal_start_thread("a name longer than fifteen bytes", count, &runs));
    while (atomic_load(&runs) < 20) sched_yield();
}

// Starts a child process that calls cterminal_guard, and ends it with a signal. The guard then restores the terminal.
static void restores_at_the_end(int terminal, int number) {
    pid_t child = fork();
    if (child == 0) {
        cterminal_forbid_core_dumps();
        cterminal_guard(terminal, cterminal_wake_descriptor());
        cterminal_arm((const uint8_t *)"left", 4);
        if (number == SIGUSR1) raise(number);
        cterminal_die(number);
    }
    int status = 0;
    CHECK(waitpid(child, &status, 0) == child && WIFSIGNALED(status) && WTERMSIG(status) == number);
}

int main(void) {
    // The descriptor that wakes a thread stays open for the life of the process.
    int before = (cterminal_wake_descriptor(), open_descriptors());
    int terminal = opens_terminal(), columns = 0, rows = 0;
    CHECK(!cterminal_window_size(terminal, &columns, &rows) && !cterminal_window_size(-1, &columns, &rows));
    CHECK(cterminal_save_settings(terminal) && !cterminal_save_settings(-1));
    CHECK(cterminal_set_raw(terminal) && !cterminal_set_raw(-1) && cterminal_is_foreground(terminal));
    CHECK(cterminal_write(terminal, "text", 4) == 4 && cterminal_write(-1, "text", 4) == -1);
    cterminal_discard_input(terminal);
    cterminal_discard_output(terminal);
    guards(terminal);
    guards(terminal);
    holds_errors(terminal);
    cterminal_make_signal_stack();
    starts_threads();
    restores_at_the_end(terminal, SIGTERM);
    restores_at_the_end(terminal, SIGUSR1);
    CHECK(cterminal_restore_settings(terminal));
    cterminal_set_locale(true);
    cterminal_set_locale(false);
    cterminal_close(terminal);
    close(master);
    CHECK(open_descriptors() == before);
    return 0;
}
