import CSQLite
import Crypto
import FoundationEssentials
import Glibc
import SQLiteFile
import VectorTiles

/// Stores answers of map servers in a file that several programs may use at once. The least recently used answers are removed first.
///
/// The file holds only hashes of the addresses, because addresses may contain keys. The answer for a tile is stored with the tile's zoom,
/// column and row. The methods of the store never fail. A broken file is deleted and created again. If the file cannot be used, no answers
/// are stored. Each of these faults is reported once, through `news()`.
public actor TileStore {
    /// An answer as it is stored.
    struct Entry: Hashable, Sendable {
        /// The body; nil if the server has no content at the address.
        var body: [UInt8]?
        var etag: String?
        /// The date of the last modification, as sent by the server.
        var modified: String?
        /// Size of the whole file if the answer is a part of a file, in bytes; nil if unknown.
        var fileByteCount: UInt64?
        /// The time until which the answer is fresh.
        var freshUntil: Date
    }

    /// Size of the file, and counts of the answers.
    public struct Figures: Hashable, Sendable {
        /// Size of the file, in bytes.
        public var byteCount: Int64 = 0
        /// Number of tiles in the file. Other answers, such as those for missing tiles, are not counted.
        public var tileCount: Int64 = 0
        /// Number of answers whose body came from the store.
        public var hits: Int64 = 0
        /// Number of answers whose body came from the network.
        public var misses: Int64 = 0

        /// Creates the figures of an empty store.
        public init() {}
    }

    /// The name of the file in its folder.
    public static let fileName = "tiles.sqlite"
    /// Default size limit of the file, in MB.
    public static let standardMegabytes = 256
    /// Shortest interval between two writes of a tile's time of last use, in seconds. Without this interval, each read would
    /// write to the file.
    private static let useStepSeconds = 3_600.0
    /// The letters "TWTC", which identify the format of the file. `version` is the version of the format.
    private static let applicationID: Int64 = 0x5457_5443
    private static let version: Int64 = 2

    private let folder: String
    private let byteLimit: Int64
    private var database: SQLiteDatabase?
    private var isGivenUp = false
    /// Messages that have not been reported yet.
    private var untold: [String] = []

    /// - Parameters:
    ///   - folder: folder of the file, created if it is missing.
    ///   - megabytes: size limit of the file, at least 1.
    public init(folder: String, megabytes: Int = standardMegabytes) {
        self.folder = folder
        byteLimit = Int64(min(max(1, megabytes), 1 << 20)) << 20
    }

    private var path: String { folder + "/" + Self.fileName }

    /// Returns the messages about faults since the last call, one sentence each.
    func news() -> [String] {
        defer { untold = [] }
        return untold
    }

    /// Returns the stored answer for an address.
    ///
    /// - Parameter isUse: whether this call counts as a use of the answer. Answers that were used recently are the last to be removed.
    func entry(_ address: String, now: Date, isUse: Bool = true) -> Entry? {
        let row = attempt { database throws(SQLiteError) in
            try database.rows(
                "SELECT body, etag, modified, total, fresh, used, id FROM tiles WHERE key = ?", [Self.key(address)], columns: 7
            ).first
        }
        guard let row = row ?? nil, row.count == 7, case .integer(let fresh) = row[4], case .integer(let used) = row[5] else { return nil }
        if isUse, now.timeIntervalSince1970 - Double(used) > Self.useStepSeconds || Double(used) > now.timeIntervalSince1970 + 1 {
            attempt { database throws(SQLiteError) in
                try database.run("UPDATE tiles SET used = ? WHERE id = ?", [Self.seconds(now), row[6]])
            }
        }
        var entry = Entry(freshUntil: Date(timeIntervalSince1970: Double(fresh)))
        if case .blob(let body) = row[0] { entry.body = body }
        if case .text(let etag) = row[1] { entry.etag = etag }
        if case .text(let modified) = row[2] { entry.modified = modified }
        if case .integer(let total) = row[3] { entry.fileByteCount = UInt64(exactly: total) }
        return entry
    }

    /// The map and the tile to which an answer belongs.
    struct Mark: Hashable, Sendable {
        /// The map's address. The file holds only a hash of it.
        let map: String
        let id: TileID
    }

    /// Returns the stored tiles of a map, the most recently used first.
    func tiles(of map: String, limit: Int) -> [TileID] {
        let rows = attempt { database throws(SQLiteError) in
            try database.rows(
                "SELECT zoom, x, y FROM tiles WHERE map = ? ORDER BY used DESC, id DESC LIMIT ?", [Self.key(map), .integer(Int64(limit))],
                columns: 3)
        }
        return (rows ?? []).compactMap { row in
            guard case .integer(let zoom) = row[0], case .integer(let x) = row[1], case .integer(let y) = row[2] else { return nil }
            return TileID(zoom: Int(clamping: zoom), x: Int(clamping: x), y: Int(clamping: y))
        }
    }

    /// Stores an answer. It replaces an earlier answer for the same address.
    ///
    /// - Parameter mark: the map and the tile to which the answer belongs; nil if the answer is not a tile.
    func keep(_ entry: Entry, for address: String, mark: Mark? = nil, now: Date) {
        let place = entry.body == nil ? nil : mark
        let values: [SQLiteValue] = [
            Self.key(address), entry.body.map { .blob($0) } ?? .null, entry.etag.map { .text($0) } ?? .null,
            entry.modified.map { .text($0) } ?? .null, entry.fileByteCount.flatMap(Int64.init(exactly:)).map { .integer($0) } ?? .null,
            Self.seconds(entry.freshUntil), Self.seconds(now), place.map { Self.key($0.map) } ?? .null,
            place.map { .integer(Int64($0.id.zoom)) } ?? .null, place.map { .integer(Int64($0.id.x)) } ?? .null,
            place.map { .integer(Int64($0.id.y)) } ?? .null,
        ]
        attempt { database throws(SQLiteError) in
            try database.run(
                """
                INSERT OR REPLACE INTO tiles (key, body, etag, modified, total, fresh, used, map, zoom, x, y)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """, values)
        }
        shrink()
    }

    /// Removes the answer for an address.
    func forget(_ address: String) {
        attempt { database throws(SQLiteError) in try database.run("DELETE FROM tiles WHERE key = ?", [Self.key(address)]) }
    }

    /// Counts an answer from the store (a hit) or from the network (a miss).
    func count(isHit: Bool) {
        attempt { database throws(SQLiteError) in
            try database.run("UPDATE counts SET value = value + 1 WHERE name = ?", [.text(isHit ? "hits" : "misses")])
        }
    }

    /// Returns the size and the counts; nil if the file does not exist or cannot be used.
    public func figures() -> Figures? {
        guard FileManager.default.fileExists(atPath: path) else { return nil }
        return attempt { database throws(SQLiteError) in
            var figures = Figures()
            figures.byteCount = try Self.number(database, "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size")
            figures.tileCount = try Self.number(database, "SELECT COUNT(*) FROM tiles WHERE map IS NOT NULL")
            figures.hits = try Self.number(database, "SELECT value FROM counts WHERE name = 'hits'")
            figures.misses = try Self.number(database, "SELECT value FROM counts WHERE name = 'misses'")
            return figures
        }
    }

    /// Moves the contents of SQLite's write-ahead log into the file.
    func checkpoint() {
        attempt { database throws(SQLiteError) in try database.run("PRAGMA wal_checkpoint(TRUNCATE)") }
    }

    /// Removes all answers. Other programs can continue to use the file.
    public func clear() {
        guard FileManager.default.fileExists(atPath: path) else { return }
        attempt { database throws(SQLiteError) in
            try database.transaction { () throws(SQLiteError) in
                try database.run("DELETE FROM tiles")
                try database.run("UPDATE counts SET value = 0")
            }
            try database.run("PRAGMA incremental_vacuum")
        }
        checkpoint()
    }
}

// MARK: - The file

extension TileStore {
    private static func seconds(_ date: Date) -> SQLiteValue {
        .integer(Int64(exactly: date.timeIntervalSince1970.rounded(.down)) ?? 0)
    }

    private static func key(_ address: String) -> SQLiteValue { .blob(Array(SHA256.hash(data: Array(address.utf8)))) }

    private static func number(_ database: SQLiteDatabase, _ query: String) throws(SQLiteError) -> Int64 {
        if case .integer(let number) = try database.rows(query).first?.first { number } else { 0 }
    }

    /// Removes the least recently used answers, a sixteenth at a time, until the file is within its limit.
    private func shrink() {
        let limit = byteLimit
        attempt { database throws(SQLiteError) in
            let pages = "SELECT (page_count - freelist_count) * page_size FROM pragma_page_count, pragma_freelist_count, pragma_page_size"
            for _ in 0..<64 where try Self.number(database, pages) > limit {
                try database.run(
                    "DELETE FROM tiles WHERE id IN (SELECT id FROM tiles ORDER BY used, id LIMIT 1 + (SELECT COUNT(*) FROM tiles) / 16)")
                try database.run("PRAGMA incremental_vacuum")
            }
        }
    }

    /// Runs work on the file. Returns nil if the file cannot be used.
    @discardableResult
    private func attempt<Value>(_ work: (SQLiteDatabase) throws(SQLiteError) -> Value) -> Value? {
        for _ in 0..<2 {
            guard !isGivenUp else { return nil }
            do throws(SQLiteError) {
                let open = if let database { database } else { try self.open() }
                database = open
                return try work(open)
            } catch {
                guard handle(error) else { return nil }
            }
        }
        return nil
    }

    /// - Returns: whether the caller may try the work again.
    private func handle(_ error: SQLiteError) -> Bool {
        switch error.code {
        case SQLITE_BUSY, SQLITE_LOCKED: return false
        case SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_ERROR, SQLITE_MISMATCH, SQLITE_SCHEMA:
            database = nil
            for ending in ["", "-wal", "-shm"] where unlink(path + ending) != 0 && errno != ENOENT {
                isGivenUp = true
                untold.append("The map continues without its cache: the file is damaged and cannot be deleted.")
                return false
            }
            untold.append("The map's cache was damaged and has been deleted.")
            return true
        default:
            database = nil
            isGivenUp = true
            untold.append("The map continues without its cache: \(error.message).")
            return false
        }
    }

    private func open() throws(SQLiteError) -> SQLiteDatabase {
        try? FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        // SQLite creates its auxiliary files with the permissions of this file.
        let descriptor = Glibc.open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0o600)
        if descriptor >= 0 { close(descriptor) }
        let database = try SQLiteDatabase(
            path: path,
            settings: [
                "busy_timeout = 5000", "auto_vacuum = INCREMENTAL", "journal_mode = WAL", "synchronous = NORMAL",
                "journal_size_limit = 4194304", "trusted_schema = OFF", "cell_size_check = ON",
            ])
        let form = [try Self.number(database, "PRAGMA application_id"), try Self.number(database, "PRAGMA user_version")]
        if form != [Self.applicationID, Self.version] { try Self.prepare(database) }
        return database
    }

    /// Creates the tables and drops those of another version. Does nothing if another program has just done so.
    private static func prepare(_ database: SQLiteDatabase) throws(SQLiteError) {
        try database.transaction { () throws(SQLiteError) in
            guard try number(database, "PRAGMA user_version") != version else { return }
            try database.run("DROP TABLE IF EXISTS tiles")
            try database.run("DROP TABLE IF EXISTS counts")
            try database.run(
                """
                CREATE TABLE tiles (id INTEGER PRIMARY KEY, key BLOB NOT NULL UNIQUE, etag TEXT, modified TEXT, total INTEGER,
                fresh INTEGER NOT NULL, used INTEGER NOT NULL, map BLOB, zoom INTEGER, x INTEGER, y INTEGER, body BLOB)
                """)
            try database.run("CREATE INDEX uses ON tiles (used)")
            try database.run("CREATE INDEX maps ON tiles (map, used)")
            try database.run("CREATE TABLE counts (name TEXT PRIMARY KEY, value INTEGER NOT NULL)")
            try database.run("INSERT INTO counts VALUES ('hits', 0), ('misses', 0)")
            try database.run("PRAGMA application_id = \(applicationID)")
            try database.run("PRAGMA user_version = \(version)")
        }
    }
}
