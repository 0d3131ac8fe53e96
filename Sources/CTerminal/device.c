#define _GNU_SOURCE

#include "CTerminal.h"
#include "internal.h"

#include <errno.h>
#include <fcntl.h>
#include <langinfo.h>
#include <locale.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

static int open_path(const char *path) {
    int terminal = open(path, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
    if (terminal >= 0 && !isatty(terminal)) {
        close(terminal);
        errno = ENOTTY;
        return -1;
    }
    return terminal;
}

int cterminal_open(const char *path) {
    if (path != NULL) return open_path(path);
    int terminal = open_path("/dev/tty");
    static const int standard[] = {STDOUT_FILENO, STDIN_FILENO, STDERR_FILENO};
    for (size_t index = 0; terminal < 0 && index < 3; index++) {
        char name[256];
        if (ttyname_r(standard[index], name, sizeof name) == 0) terminal = open_path(name);
    }
    return terminal;
}

bool cterminal_window_size(int terminal, int *columns, int *rows) {
    struct winsize size;
    if (ioctl(terminal, TIOCGWINSZ, &size) != 0 || size.ws_col == 0 || size.ws_row == 0) return false;
    *columns = size.ws_col;
    *rows = size.ws_row;
    return true;
}

static struct termios saved_settings;

bool cterminal_save_settings(int terminal) {
    return tcgetattr(terminal, &saved_settings) == 0;
}

static bool set_settings(int terminal, const struct termios *settings) {
    int result;
    do {
        result = tcsetattr(terminal, TCSANOW, settings);
    } while (result != 0 && errno == EINTR);
    return result == 0;
}

bool cterminal_set_raw(int terminal) {
    struct termios settings = saved_settings;
    cfmakeraw(&settings);
    settings.c_cc[VMIN] = 1;
    settings.c_cc[VTIME] = 0;
    bool is_set = cterminal_begin_use() && set_settings(terminal, &settings);
    cterminal_end_use();
    return is_set;
}

bool cterminal_restore_settings(int terminal) {
    return set_settings(terminal, &saved_settings);
}

void cterminal_discard_input(int terminal) {
    // Restoring the settings with TCSAFLUSH would drop the input too, but would first wait for all output to be written. On a stopped
    // terminal, this wait would not end.
    tcflush(terminal, TCIFLUSH);
}

bool cterminal_is_foreground(int terminal) {
    pid_t foreground = tcgetpgrp(terminal);
    return foreground < 0 || foreground == getpgrp();
}

void cterminal_discard_output(int terminal) {
    tcflush(terminal, TCOFLUSH);
    tcflow(terminal, TCOON);
}

int cterminal_wake_descriptor(void) {
    static _Atomic int descriptor = -1;
    int present = atomic_load(&descriptor);
    if (present >= 0) return present;
    int made = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    if (atomic_compare_exchange_strong(&descriptor, &present, made)) return made;
    // Another thread has created a descriptor in the meantime.
    if (made >= 0) close(made);
    return present;
}

void cterminal_wake(int wake) {
    uint64_t one = 1;
    // If the counter is full, this write fails. That does not matter, because earlier writes have already woken the thread.
    ssize_t ignored = write(wake, &one, sizeof one);
    (void)ignored;
}

void cterminal_drain(int wake) {
    uint64_t count;
    ssize_t ignored = read(wake, &count, sizeof count);
    (void)ignored;
}

void cterminal_close(int descriptor) {
    close(descriptor);
}

static bool is_utf8(void) {
    return strcasecmp(nl_langinfo(CODESET), "UTF-8") == 0;
}

static bool environment_asks_for_utf8(void) {
    static const char *const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};
    for (size_t index = 0; index < 3; index++) {
        const char *value = getenv(names[index]);
        if (value != NULL && *value != 0) return strcasestr(value, "utf-8") != NULL || strcasestr(value, "utf8") != NULL;
    }
    return false;
}

bool cterminal_set_locale(bool force_utf8) {
    bool is_installed = setlocale(LC_CTYPE, "") != NULL;
    if (!is_utf8() && (force_utf8 || (!is_installed && environment_asks_for_utf8()))) setlocale(LC_CTYPE, "C.UTF-8");
    return is_utf8();
}
