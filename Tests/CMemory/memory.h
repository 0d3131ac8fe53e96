// Checks of the C functions under valgrind, which reports reads and writes outside of allocated memory, uninitialised values and leaks.
#ifndef MEMORY_H
#define MEMORY_H

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>

// If the condition is false, prints where the check failed and ends the program.
#define CHECK(condition)                                                                                                               \
    do {                                                                                                                               \
        if (!(condition)) {                                                                                                            \
            fprintf(stderr, "%s:%d: %s is false\n", __FILE__, __LINE__, #condition);                                                   \
            exit(1);                                                                                                                   \
        }                                                                                                                              \
    } while (0)

// Counts the entries of /proc/self/fd. The count changes only if the number of open descriptors changes.
static inline int open_descriptors(void) {
    int count = 0;
    DIR *folder = opendir("/proc/self/fd");
    CHECK(folder != NULL);
    while (readdir(folder) != NULL) count++;
    closedir(folder);
    return count;
}

#endif
