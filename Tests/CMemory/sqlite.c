#include "CSQLite.h"
#include "memory.h"

#include <string.h>

// Binds bytes and frees them before SQLite reads the values. The statement must have copied the bytes.
static void binds(sqlite3_stmt *statement, size_t count) {
    char *bytes = malloc(count + 1);
    memset(bytes, 'b', count);
    CHECK(csqlite_bind_blob(statement, 1, bytes, count) == SQLITE_OK && csqlite_bind_text(statement, 2, bytes, count) == SQLITE_OK);
    free(bytes);
    CHECK(sqlite3_step(statement) == SQLITE_ROW);
    CHECK(sqlite3_column_type(statement, 0) == SQLITE_BLOB && sqlite3_column_type(statement, 1) == SQLITE_TEXT);
    CHECK((size_t)sqlite3_column_bytes(statement, 0) == count && (size_t)sqlite3_column_bytes(statement, 1) == count);
    CHECK(sqlite3_reset(statement) == SQLITE_OK);
}

int main(void) {
    sqlite3 *connection;
    sqlite3_stmt *statement;
    CHECK(sqlite3_open(":memory:", &connection) == SQLITE_OK);
    CHECK(csqlite_checkpoint_on_close(connection, 0) == SQLITE_OK && csqlite_checkpoint_on_close(connection, 1) == SQLITE_OK);
    CHECK(sqlite3_prepare_v2(connection, "SELECT ?, ?", -1, &statement, NULL) == SQLITE_OK);
    binds(statement, 0);
    binds(statement, 1);
    binds(statement, 1 << 20);
    CHECK(csqlite_bind_blob(statement, 3, "", 0) == SQLITE_RANGE && csqlite_bind_text(statement, 1, "x", (sqlite3_uint64)1 << 40) == SQLITE_TOOBIG);
    CHECK(sqlite3_finalize(statement) == SQLITE_OK && sqlite3_close(connection) == SQLITE_OK);
    return 0;
}
