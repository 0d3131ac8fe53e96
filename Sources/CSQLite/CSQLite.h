// The system's SQLite, with functions in place of its macros and variadic functions, which Swift cannot use.
#ifndef CSQLITE_H
#define CSQLITE_H

#include <sqlite3.h>

// Binds a copy of the bytes.
static inline int csqlite_bind_blob(sqlite3_stmt *statement, int index, const void *bytes, sqlite3_uint64 count) {
    // A null pointer would bind NULL.
    return sqlite3_bind_blob64(statement, index, count == 0 ? "" : bytes, count, SQLITE_TRANSIENT);
}

// Binds a copy of the UTF-8 text.
static inline int csqlite_bind_text(sqlite3_stmt *statement, int index, const char *text, sqlite3_uint64 count) {
    return sqlite3_bind_text64(statement, index, count == 0 ? "" : text, count, SQLITE_TRANSIENT, SQLITE_UTF8);
}

// Sets whether closing the connection may move the contents of the write-ahead log into the file.
static inline int csqlite_checkpoint_on_close(sqlite3 *connection, int isWanted) {
    return sqlite3_db_config(connection, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, !isWanted, (int *)0);
}

#endif
