// The parts of terminal handling that must be C: code inside signal handlers, and inline, variadic or macro functions of the system's
// headers. A process can use only one terminal. The code does not depend on ncurses.
#ifndef CTERMINAL_H
#define CTERMINAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

// --- the device

// Opens a terminal for reading and writing, in non-blocking mode. The descriptors that the shell uses stay in blocking mode. A null path
// opens the controlling terminal; if that fails, the terminal behind standard output, input or error. Returns a descriptor, or -1 if no
// terminal can be opened.
int cterminal_open(const char *path);
// Columns and rows as reported by the terminal driver. Returns false if they are unknown.
bool cterminal_window_size(int terminal, int *columns, int *rows);
// Saves the line settings; cterminal_restore_settings and the guard restore them.
bool cterminal_save_settings(int terminal);
// Makes the terminal deliver bytes as typed, without echo or translation. The terminal driver handles no keys itself, so keys such as
// Ctrl-C are delivered, too. Fails if the guard has already restored the terminal.
bool cterminal_set_raw(int terminal);
// Restores the saved settings.
bool cterminal_restore_settings(int terminal);
// Drops typed bytes that are not read yet.
void cterminal_discard_input(int terminal);
// Whether this process may write to the terminal: its process group is in the foreground, or the terminal is not the controlling terminal
// of the process.
bool cterminal_is_foreground(int terminal);
// Drops written bytes that the terminal has not accepted, and resumes suspended output.
void cterminal_discard_output(int terminal);
// Like write(2), but returns -1 with EPIPE after the guard has restored the terminal.
ssize_t cterminal_write(int terminal, const void *bytes, size_t count);

// --- waking a thread

// The process's eventfd, which does not block. It is never closed, since a signal handler may be about to write to it at any time. Returns
// -1 if the system has no descriptor left.
int cterminal_wake_descriptor(void);
void cterminal_wake(int wake);
void cterminal_drain(int wake);
void cterminal_close(int descriptor);

// --- signals

// Starts the guard. Returns false if the guard is already running. INT, TERM, HUP, QUIT, WINCH, TSTP and CONT only wake the descriptor, and
// PIPE has no effect. Every other signal that ends the process, except KILL, first restores the terminal and prints the text held back from
// standard error. exit(3) does the same. A signal that the process already ignores stays ignored, unless it is WINCH or CONT.
bool cterminal_guard(int terminal, int wake);
// Stops the guard, and restores the handlers that it has replaced.
void cterminal_unguard(void);
// Sets the bytes that make the terminal leave the screen. When the guard restores the terminal, it writes these bytes and restores the line
// settings. A second call replaces the bytes. Returns false for more than 1,024 bytes.
bool cterminal_arm(const uint8_t *bytes, size_t count);
// Tells the guard that the screen has been left, so that the guard need not write anything.
void cterminal_disarm(void);
// Bit n is set if signal n has arrived since the last call.
uint64_t cterminal_take_signals(void);
// Gives the calling thread a stack for signal handlers, so that they run even if the thread's own stack is full.
void cterminal_make_signal_stack(void);
// Whether a shell can continue this process group after it is stopped.
bool cterminal_can_stop(void);
// Stops the process group. The process may continue for a moment after the call: wait for CONT.
void cterminal_stop(void);
// Stops the process group with SIGTTOU, as the terminal driver stops a background group that uses the terminal. Shells distinguish this
// stop from others. If SIGTTOU does not have its default action, sends SIGSTOP.
void cterminal_stop_in_background(void);
// Stops the process group until it is in the terminal's foreground: a group that is continued in the background is stopped again. Must be
// called before cterminal_guard, so that signals can still end the process. Returns false without stopping if no shell could continue the
// group.
bool cterminal_await_foreground(int terminal);
// Ends the process by a signal's default action.
_Noreturn void cterminal_die(int number);

// --- secrets and crashes

// Disables core dumps and access by other processes of the same user, to protect the secrets of the process.
void cterminal_forbid_core_dumps(void);
// After this call, a fault, an abort or SIGQUIT ends the process at once, without the runtime's report, which would wait for a key.
void cterminal_forget_crash_reports(void);

// --- standard error

// Redirects standard error to a memory file if it is a terminal. Returns whether standard error was redirected.
bool cterminal_hold_error(void);
// Number of held bytes.
size_t cterminal_held_size(void);
// Copies held bytes from an offset and returns their number.
size_t cterminal_read_held(size_t offset, uint8_t *bytes, size_t room);
// Drops the held bytes.
void cterminal_forget_held(void);
// Restores standard error.
void cterminal_release_error(void);

// --- characters

// Sets the character set from the environment. If this set is not UTF-8 and `force_utf8` is true, C.UTF-8 is used instead. C.UTF-8 is also
// used if the environment names a UTF-8 locale that is not installed. Sets only the character type, so that the formats of numbers and
// dates do not change. Returns true if the result is UTF-8.
bool cterminal_set_locale(bool force_utf8);

// --- threads

// Runs a function once on a new, detached thread. The name is cut to 15 bytes.
bool cterminal_start_thread(const char *name, void (*function)(void *), void *argument);

#endif
