// The parts of a terminal's life that must be C: code inside signal handlers, and inline, variadic or macro functions of the system's
// headers. One terminal a process. Nothing here knows ncurses.
#ifndef CTERMINAL_H
#define CTERMINAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

// --- the device

// Opens a terminal for reading and writing, not blocking, in an open file of its own so that the shell's is not changed. Null for the
// controlling terminal, or else the one behind standard output, input or error. A descriptor, or -1 when it is not a terminal.
int cterminal_open(const char *path);
// Columns and rows as the terminal driver knows them. False when it does not know.
bool cterminal_window_size(int terminal, int *columns, int *rows);
// Remembers the line settings; cterminal_restore_settings and the guard go back to them.
bool cterminal_save_settings(int terminal);
// Bytes as they are typed, nothing echoed, nothing translated, no key that the driver keeps for itself. Not after the guard has restored
// the terminal.
bool cterminal_set_raw(int terminal);
// The remembered settings.
bool cterminal_restore_settings(int terminal);
// Drops typed bytes that were not read.
void cterminal_discard_input(int terminal);
// Whether this process may write to the terminal: its process group has the foreground, or the terminal is not its controlling one.
bool cterminal_is_foreground(int terminal);
// Drops written bytes that the terminal has not taken, and lets a stopped terminal go on.
void cterminal_discard_output(int terminal);
// write(2), but never after the guard has restored the terminal: then -1 with EPIPE.
ssize_t cterminal_write(int terminal, const void *bytes, size_t count);

// --- waking a thread

// The process's eventfd, which does not block and is never closed: a signal handler may be about to write to it at any time. -1 when the
// system has none left.
int cterminal_wake_descriptor(void);
void cterminal_wake(int wake);
void cterminal_drain(int wake);
void cterminal_close(int descriptor);

// --- signals

// From now on INT, TERM, HUP, QUIT, WINCH, TSTP and CONT wake the descriptor, and every signal that would end the process by default
// restores the terminal first, then prints what standard error held back, then acts as before. PIPE is ignored. A signal that was ignored
// stays ignored. Also when exit(3) is called.
bool cterminal_guard(int terminal, int wake);
// Gives all signals back to whom they belonged.
void cterminal_unguard(void);
// The bytes that leave the screen. From now on the guard writes them and restores the line settings; a second call replaces the bytes.
bool cterminal_arm(const uint8_t *bytes, size_t count);
// The screen has been left: the guard need not write anything any more.
void cterminal_disarm(void);
// Bit n is set when signal n came since the last call.
uint64_t cterminal_take_signals(void);
// A stack for signal handlers of the calling thread, so that they run even when its own is full.
void cterminal_make_signal_stack(void);
// Whether a shell can continue this process group after it is stopped.
bool cterminal_can_stop(void);
// Stops the process group. It may run on for a moment: wait for CONT.
void cterminal_stop(void);
// The same, as the terminal driver stops a process group that wants the terminal while another one has it: shells tell that apart.
void cterminal_stop_in_background(void);
// Stops the process group, each time it is continued, until it has the terminal. Signals must still act as before cterminal_guard: then a
// signal that ends the process ends it. Returns false, and stops nothing, where no shell could continue it.
bool cterminal_await_foreground(int terminal);
// Ends the process by a signal's default action.
_Noreturn void cterminal_die(int number);

// --- secrets and crashes

// No image of this process is written when it crashes, and no other process of the same user may look into it: it holds a secret.
void cterminal_forbid_core_dumps(void);
// From now on faults and aborts end the process at once, without the runtime's report, which would wait for a key.
void cterminal_forget_crash_reports(void);

// --- standard error

// Lets standard error go to a memory file where it would have gone to a terminal. True when it does.
bool cterminal_hold_error(void);
// Bytes held.
size_t cterminal_held_size(void);
// Copies held bytes from an offset on and returns how many.
size_t cterminal_read_held(size_t offset, uint8_t *bytes, size_t room);
// Forgets the held bytes.
void cterminal_forget_held(void);
// Standard error is itself again.
void cterminal_release_error(void);

// --- characters

// Takes the character set from the environment. Where the locale it names is not installed but is a UTF-8 one, or where `force_utf8` is
// given, C.UTF-8 instead. Only the character type: numbers and dates of the process stay as they are. True when the result is UTF-8.
bool cterminal_set_locale(bool force_utf8);

// --- threads

// Runs a function once on a new, detached thread. The name is cut to 15 bytes.
bool cterminal_start_thread(const char *name, void (*function)(void *), void *argument);

#endif
