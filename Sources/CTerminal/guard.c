// Restores the terminal when a signal ends the process or the process crashes. In this file and the others, code that can run inside a
// signal handler calls only functions that POSIX or Linux allow there.
#define _GNU_SOURCE

#include "CTerminal.h"
#include "internal.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { LEAVE_ROOM = 1024, SIGNALS = 65 };

static struct {
    _Atomic int terminal;
    _Atomic int wake;
    _Atomic pid_t process;
    _Atomic uint64_t pending;
} guard = {.terminal = -1, .wake = -1};

// There are two slots, so that the bytes in use are never the ones being replaced. `armed` is the index of the slot in use plus 1, or 0 if
// no slot is in use.
static struct {
    uint8_t bytes[2][LEAVE_ROOM];
    size_t count[2];
    _Atomic int armed;
} leave;

static struct {
    // The thread that is restoring or has restored the terminal.
    _Atomic pid_t restorer;
    _Atomic bool is_done;
    // The thread that is changing the terminal.
    _Atomic pid_t user;
} rescue;

static struct sigaction previous[SIGNALS];
static bool is_installed[SIGNALS];

static void nap(void) {
    struct timespec millisecond = {.tv_nsec = 1000000};
    nanosleep(&millisecond, NULL);
}

bool cterminal_begin_use(void) {
    atomic_store(&rescue.user, gettid());
    return atomic_load(&rescue.restorer) == 0;
}

void cterminal_end_use(void) {
    atomic_store(&rescue.user, 0);
}

ssize_t cterminal_write(int terminal, const void *bytes, size_t count) {
    ssize_t result = -1;
    int number = EPIPE;
    if (cterminal_begin_use()) {
        result = write(terminal, bytes, count);
        number = errno;
    }
    cterminal_end_use();
    errno = number;
    return result;
}

// --- restoring

bool cterminal_write_patiently(int descriptor, const uint8_t *bytes, size_t count) {
    int patience = 5;
    while (count > 0) {
        ssize_t done = write(descriptor, bytes, count);
        if (done > 0) {
            bytes += done;
            count -= (size_t)done;
        } else if (done < 0 && errno == EAGAIN && patience-- > 0) {
            struct pollfd room = {.fd = descriptor, .events = POLLOUT};
            poll(&room, 1, 100);
        } else if (done == 0 || errno != EINTR) {
            return false;
        }
    }
    return true;
}

static void leave_screen(void) {
    int place = atomic_exchange(&leave.armed, 0) - 1;
    int terminal = atomic_load(&guard.terminal);
    // If this process is in the background, the terminal belongs to another process group, and the process has already left the screen.
    if (place < 0 || !cterminal_is_foreground(terminal)) return;
    if (!cterminal_write_patiently(terminal, leave.bytes[place], leave.count[place])) {
        cterminal_discard_output(terminal);
        cterminal_write_patiently(terminal, leave.bytes[place], leave.count[place]);
    }
    cterminal_discard_input(terminal);
    cterminal_restore_settings(terminal);
}

// Restores the terminal. If another thread is already restoring it, waits for that thread, but at most 2 s.
static void restore(void) {
    if (atomic_load(&guard.process) != getpid()) return;
    pid_t this_thread = gettid();
    pid_t nobody = 0;
    if (!atomic_compare_exchange_strong(&rescue.restorer, &nobody, this_thread)) {
        for (int round = 0; nobody != this_thread && round < 2000 && !atomic_load(&rescue.is_done); round++) nap();
        return;
    }
    // Wait for a thread that is writing, since the rest of a frame must not follow the restoration of the terminal.
    for (int round = 0; round < 200; round++) {
        pid_t user = atomic_load(&rescue.user);
        if (user == 0 || user == this_thread) break;
        nap();
    }
    leave_screen();
    cterminal_show_held();
    atomic_store(&rescue.is_done, true);
}

// --- handlers

static void on_wake(int number) {
    int saved = errno;
    atomic_fetch_or(&guard.pending, UINT64_C(1) << number);
    cterminal_wake(atomic_load(&guard.wake));
    errno = saved;
}

// This handler is used instead of SIG_IGN, because child processes would inherit an ignored signal.
static void on_pipe(int number) {
    (void)number;
}

static void on_fatal(int number, siginfo_t *info, void *context) {
    (void)context;
    int saved = errno;
    restore();
    sigaction(number, &previous[number], NULL);
    // After this handler returns, the instruction that caused a fault runs again and causes it again, so the program's earlier handler gets
    // all details of the fault. If the signal is not a fault, or if there was no earlier handler, the signal must be sent again.
    bool is_fault = info->si_code > 0 && (number == SIGSEGV || number == SIGBUS || number == SIGILL || number == SIGFPE);
    bool is_default = (previous[number].sa_flags & SA_SIGINFO) == 0 && previous[number].sa_handler == SIG_DFL;
    if (!is_fault || is_default) tgkill(getpid(), gettid(), number);
    errno = saved;
}

static void at_exit(void) {
    sigset_t stops, old;
    sigemptyset(&stops);
    sigaddset(&stops, SIGTTOU);
    pthread_sigmask(SIG_BLOCK, &stops, &old);
    restore();
    pthread_sigmask(SIG_SETMASK, &old, NULL);
}

// --- installing

static const int waking[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGWINCH, SIGTSTP, SIGCONT};
// Signals for programming errors. If a handler was installed before the guard, it runs after the guard has restored the terminal.
static const int faults[] = {SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGABRT, SIGFPE, SIGSYS};
// Signals that end a process unless it handles them; existing handlers are kept. `install_all` treats the real-time signals in the same
// way.
static const int endings[] = {SIGUSR1, SIGUSR2, SIGALRM, SIGVTALRM, SIGPROF, SIGXCPU, SIGXFSZ, SIGPOLL, SIGPWR, SIGSTKFLT};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static bool is_plain(int number, void (*handler)(int)) {
    return (previous[number].sa_flags & SA_SIGINFO) == 0 && previous[number].sa_handler == handler;
}

static void install(int number, struct sigaction action) {
    action.sa_flags |= SA_ONSTACK;
    is_installed[number] = sigaction(number, &action, NULL) == 0;
}

static void install_all(void) {
    for (int number = 1; number < SIGNALS; number++) {
        if (sigaction(number, NULL, &previous[number]) != 0) memset(&previous[number], 0, sizeof previous[number]);
    }
    struct sigaction wake = {.sa_handler = on_wake, .sa_flags = SA_RESTART};
    for (size_t index = 0; index < COUNT(waking); index++) {
        bool is_needed = waking[index] == SIGWINCH || waking[index] == SIGCONT;
        if (is_needed || !is_plain(waking[index], SIG_IGN)) install(waking[index], wake);
    }
    struct sigaction fatal = {.sa_sigaction = on_fatal, .sa_flags = SA_SIGINFO};
    sigfillset(&fatal.sa_mask);
    for (size_t index = 0; index < COUNT(faults); index++) {
        if (!is_plain(faults[index], SIG_IGN)) install(faults[index], fatal);
    }
    for (size_t index = 0; index < COUNT(endings); index++) {
        if (is_plain(endings[index], SIG_DFL)) install(endings[index], fatal);
    }
    for (int number = SIGRTMIN; number <= SIGRTMAX && number < SIGNALS; number++) {
        if (is_plain(number, SIG_DFL)) install(number, fatal);
    }
    struct sigaction quiet = {.sa_handler = on_pipe, .sa_flags = SA_RESTART};
    if (is_plain(SIGPIPE, SIG_DFL)) install(SIGPIPE, quiet);
}

bool cterminal_guard(int terminal, int wake) {
    static bool is_registered;
    int none = -1;
    if (!atomic_compare_exchange_strong(&guard.terminal, &none, terminal)) return false;
    if (!is_registered) is_registered = atexit(at_exit) == 0;
    atomic_store(&rescue.restorer, 0);
    atomic_store(&rescue.is_done, false);
    atomic_store(&guard.pending, 0);
    atomic_store(&guard.wake, wake);
    atomic_store(&guard.process, getpid());
    install_all();
    return true;
}

static bool is_ours(const struct sigaction *action) {
    if (action->sa_flags & SA_SIGINFO) return action->sa_sigaction == on_fatal;
    return action->sa_handler == on_wake || action->sa_handler == on_pipe;
}

void cterminal_unguard(void) {
    for (int number = 1; number < SIGNALS; number++) {
        struct sigaction present;
        if (!is_installed[number]) continue;
        is_installed[number] = false;
        if (sigaction(number, NULL, &present) == 0 && is_ours(&present)) sigaction(number, &previous[number], NULL);
    }
    cterminal_disarm();
    atomic_store(&guard.process, 0);
    atomic_store(&guard.terminal, -1);
}

bool cterminal_arm(const uint8_t *bytes, size_t count) {
    if (count > LEAVE_ROOM) return false;
    int place = atomic_load(&leave.armed) == 1 ? 1 : 0;
    memcpy(leave.bytes[place], bytes, count);
    leave.count[place] = count;
    atomic_store(&leave.armed, place + 1);
    return true;
}

void cterminal_disarm(void) {
    atomic_store(&leave.armed, 0);
}

uint64_t cterminal_take_signals(void) {
    return atomic_exchange(&guard.pending, 0);
}

// --- ending and stopping

bool cterminal_can_stop(void) {
    pid_t session = getsid(0);
    // The parent of a session's leader is in another session, so no shell could continue the leader's group.
    return getpgrp() != session && getsid(getppid()) == session;
}

void cterminal_stop(void) {
    kill(0, SIGSTOP);
}

static bool is_stopped_by(int number) {
    struct sigaction action;
    return sigaction(number, NULL, &action) == 0 && (action.sa_flags & SA_SIGINFO) == 0 && action.sa_handler == SIG_DFL;
}

void cterminal_stop_in_background(void) {
    kill(0, is_stopped_by(SIGTTOU) ? SIGTTOU : SIGSTOP);
}

bool cterminal_await_foreground(int terminal) {
    while (!cterminal_is_foreground(terminal)) {
        if (!cterminal_can_stop()) return false;
        cterminal_stop_in_background();
        // The process may continue for a moment before it stops.
        nap();
    }
    return true;
}

void cterminal_forget_crash_reports(void) {
    struct sigaction standard = {.sa_handler = SIG_DFL};
    for (size_t index = 0; index < COUNT(faults); index++) sigaction(faults[index], &standard, NULL);
    // The runtime also reports SIGQUIT as a crash. If the parent process has made this program ignore SIGQUIT, the signal stays ignored.
    struct sigaction present;
    bool is_ignored = sigaction(SIGQUIT, NULL, &present) == 0 && present.sa_handler == SIG_IGN;
    if (!is_ignored) sigaction(SIGQUIT, &standard, NULL);
}

_Noreturn void cterminal_die(int number) {
    at_exit();
    struct sigaction standard = {.sa_handler = SIG_DFL};
    sigaction(number, &standard, NULL);
    sigset_t only;
    sigemptyset(&only);
    sigaddset(&only, number);
    pthread_sigmask(SIG_UNBLOCK, &only, NULL);
    raise(number);
    _exit(128 + number);
}
