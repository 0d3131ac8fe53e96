import Files
import FleetEngine
import FleetEngineCore
import FoundationEssentials
import Glibc
import SQLiteFile
import Synchronization

/// The file of a store. The file is checked before SQLite opens it, and locked during this object's lifetime.
///
/// The lock is a system lock (flock), which always ends with the process. It is independent of SQLite's own locks, so a
/// database can be copied while a server uses it.
final class StoreFile: Sendable {
    /// Application id in the file's header: the letters TWFE.
    static let applicationID: Int64 = 0x5457_4645
    /// Schema version that this program writes. Higher versions belong to newer programs; lower ones are converted.
    static let version: Int64 = 4
    /// SQLite's header: the offset of the version, the offset of the application id, and the length of the whole header, in bytes. The
    /// version and the application id have four bytes each.
    private static let (versionOffset, applicationOffset, headerBytes) = (60, 68, 100)

    /// Identity of a file, independent of its name.
    private struct Identity: Equatable {
        private let device: dev_t
        private let inode: ino_t

        init(_ status: stat) {
            device = status.st_dev
            inode = status.st_ino
        }

        init?(_ path: String) {
            var status = stat()
            guard stat(path, &status) == 0 else { return nil }
            self.init(status)
        }
    }

    private let path: String
    /// The path of the log. SQLite keeps it beside the file itself, even if the store's path is a symbolic link.
    let logPath: String
    private let descriptor: Int32
    private let identity: Identity?
    private let log = Mutex<Identity?>(nil)

    /// Opens the file, and creates it if it does not exist.
    init(_ path: String) throws(StoreError) {
        if access(path, F_OK) != 0, errno == ENOENT {
            try Self.checkNoLogIsLeft(of: path)
            try Self.make(path)
        }
        let descriptor = open(path, O_RDWR | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard descriptor >= 0 else { throw Self.refusal(path, errno) }
        do throws(StoreError) {
            try Self.check(descriptor, path)
        } catch {
            close(descriptor)
            throw error
        }
        self.path = path
        logPath = Files.resolved(path) + "-wal"
        self.descriptor = descriptor
        identity = Identity(path)
    }

    /// Records the identity of the log file. The log file stays the same while SQLite has the database open.
    func noteLog() { log.withLock { $0 = Identity(logPath) } }

    /// Whether the file and its log are still found at their paths.
    var isInPlace: Bool {
        guard let log = log.withLock({ $0 }) else { return identity == Identity(path) }
        return identity == Identity(path) && log == Identity(logPath)
    }

    deinit { close(descriptor) }

    private static func check(_ descriptor: Int32, _ path: String) throws(StoreError) {
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { throw .foreign(path) }
        // A read-only file is refused even to root, although root could write to it.
        guard status.st_mode & 0o222 != 0 else { throw .readOnly(path) }
        try lock(descriptor, path)
        try checkHeader(descriptor, path)
    }

    /// Locks a file, so that no server can open it until the descriptor is closed.
    /// - Throws: an error if a server uses the file.
    static func lock(_ descriptor: Int32, _ path: String) throws(StoreError) {
        let inUse = StoreError(path, "is in use by another server")
        let isLocked: Bool
        do throws(SystemError) { isLocked = try Files.lock(descriptor) } catch { throw refusal(path, error.code) }
        guard isLocked else { throw inUse }
        // Another file may have replaced this one between opening and locking.
        var status = stat()
        guard fstat(descriptor, &status) == 0, Identity(status) == Identity(path) else { throw inUse }
    }

    private static func checkHeader(_ descriptor: Int32, _ path: String) throws(StoreError) {
        var header = [UInt8](repeating: 0, count: headerBytes)
        let count = pread(descriptor, &header, headerBytes, 0)
        guard count != 0 else { throw emptyStore(path) }
        guard count == headerBytes, header.starts(with: Array("SQLite format 3\0".utf8)) else { throw .foreign(path) }
        func number(at offset: Int) -> Int64 { header[offset..<offset + 4].reduce(0) { $0 << 8 | Int64($1) } }
        try check(applicationID: number(at: applicationOffset), version: number(at: versionOffset), path)
    }

    static func check(applicationID: Int64, version: Int64, _ path: String) throws(StoreError) {
        guard applicationID == Self.applicationID else { throw .foreign(path) }
        guard version <= Self.version else { throw StoreError(path, "was written by a newer tripwatch: use that version to read it") }
        guard version > 0 else { throw .damaged(path) }
    }

    /// Refuses to create a store where the log of a missing store remains. SQLite would delete that log, and with it the last changes of a
    /// killed server.
    private static func checkNoLogIsLeft(of path: String) throws(StoreError) {
        // Another server may have created the file and its log at this moment.
        guard (size(path + "-wal") ?? 0) > 0, access(path, F_OK) != 0 else { return }
        let log = FleetEngineError.shown(path + "-wal")
        throw StoreError(
            path,
            "is missing, but its log \(log) still exists and contains changes: put the file back, "
                + "run 'tripwatch serve restore BACKUP --database FILE', or move the log away to start without these changes")
    }

    /// Whether a file is empty. SQLite must not open an empty store: it would delete the store's log, and with it the last changes of a
    /// killed server.
    static func isEmpty(_ path: String) -> Bool { size(path) == 0 }

    /// Creates the error for an empty store.
    static func emptyStore(_ path: String) -> StoreError {
        let restoring = "run 'tripwatch serve restore BACKUP --database FILE'"
        let logPath = Files.resolved(path) + "-wal"
        guard (size(logPath) ?? 0) > 0 else { return StoreError(path, "is empty: delete it to start without data, or \(restoring)") }
        let log = FleetEngineError.shown(logPath)
        return StoreError(
            path, "is empty, but its log \(log) contains changes: \(restoring), or move both files away to start without these changes")
    }

    /// Returns the size of a file in bytes; nil if there is no regular file.
    private static func size(_ path: String) -> off_t? {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG ? status.st_size : nil
    }

    /// Creates an empty store. The file gets its final name when it is complete.
    private static func make(_ path: String) throws(StoreError) {
        let draft = try Draft(beside: path)
        defer { draft.remove() }
        do throws(SQLiteError) {
            let database = try SQLiteDatabase(path: draft.path, settings: ["synchronous = FULL"])
            try database.transaction { () throws(SQLiteError) in
                for statement in StoreSchema.statements { try database.run(statement) }
                try database.run("PRAGMA application_id = \(applicationID)")
                try database.run("PRAGMA user_version = \(version)")
            }
        } catch {
            throw StoreError(path, error)
        }
        // If another server has created the store in the meantime, that server's file is used.
        if let failure = draft.publish(as: path), failure != EEXIST { throw refusal(path, failure) }
    }

    static func refusal(_ path: String, _ number: Int32) -> StoreError {
        switch number {
        case EACCES, EPERM, EROFS: .readOnly(path)
        case EISDIR: .foreign(path)
        default: StoreError(path, "cannot be opened: \(SystemError(number).words)")
        }
    }
}

/// A file that is written under a temporary name, and gets its final name when it is complete.
struct Draft {
    let path: String

    /// Creates an empty file that only its owner is allowed to read.
    init(beside path: String) throws(StoreError) {
        self.path = "\(path).\(getpid())"
        do throws(SystemError) { try Files.make(self.path, [], isSynchronized: false) } catch { throw StoreFile.refusal(path, error.code) }
    }

    /// Syncs the file to disk, and gives it its final name, unless another file has that name.
    /// - Returns: the `errno` value of a failure; nil on success.
    func publish(as name: String) -> Int32? {
        do throws(SystemError) { try Files.publish(path, as: name) } catch { return error.code }
        return nil
    }

    func remove() { unlink(path) }

    /// Returns the system's reason why the file cannot grow to `count` bytes; nil if it can.
    func refusal(ofBytes count: Int64) -> String? {
        let file = open(path, O_WRONLY | O_CLOEXEC)
        guard file >= 0 else { return SystemError.last.phrase }
        defer { close(file) }
        let failure = posix_fallocate(file, 0, off_t(max(1, count)))
        return failure == 0 ? nil : SystemError(failure).phrase
    }
}
