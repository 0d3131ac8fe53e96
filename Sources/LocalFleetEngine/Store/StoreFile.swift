import Files
import FleetEngine
import FleetEngineCore
import FoundationEssentials
import Glibc
import SQLiteFile
import Synchronization

/// The file of a store, looked at before SQLite may touch it, and locked for as long as this lives.
///
/// The lock is one of the system's (flock), which ends with the process however that ends. SQLite's own locks do not see it, so that a
/// running database can be copied.
final class StoreFile: Sendable {
    /// The file's header says that it is ours: the letters TWFE.
    static let applicationID: Int64 = 0x5457_4645
    /// The schema that this program writes; higher ones are of newer programs, lower ones are brought to it.
    static let version: Int64 = 4
    /// Where SQLite's header keeps both, four bytes each, and how long that is.
    private static let (versionOffset, applicationOffset, headerBytes) = (60, 68, 100)

    /// Tells files apart, also when they have the same name.
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
    /// SQLite keeps it beside the file itself, also where the path is a symbolic link.
    let logPath: String
    private let descriptor: Int32
    private let identity: Identity?
    private let log = Mutex<Identity?>(nil)

    /// Makes the file where there is none.
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

    /// Remembers which file the log is; SQLite keeps it as long as the database is open.
    func noteLog() { log.withLock { $0 = Identity(logPath) } }

    /// Whether the file and its log have their names still.
    var isInPlace: Bool {
        guard let log = log.withLock({ $0 }) else { return identity == Identity(path) }
        return identity == Identity(path) && log == Identity(logPath)
    }

    deinit { close(descriptor) }

    private static func check(_ descriptor: Int32, _ path: String) throws(StoreError) {
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { throw .foreign(path) }
        // Root may write such a file, and is told not to all the same.
        guard status.st_mode & 0o222 != 0 else { throw .readOnly(path) }
        try lock(descriptor, path)
        try checkHeader(descriptor, path)
    }

    /// Keeps every server from opening a file until the descriptor is closed.
    /// - Throws: where a server has the file.
    static func lock(_ descriptor: Int32, _ path: String) throws(StoreError) {
        let inUse = StoreError(path, "is in use by another server")
        let isLocked: Bool
        do throws(SystemError) { isLocked = try Files.lock(descriptor) } catch { throw refusal(path, error.code) }
        guard isLocked else { throw inUse }
        // Between opening and locking another file may have taken its place.
        var status = stat()
        guard fstat(descriptor, &status) == 0, Identity(status) == Identity(path) else { throw inUse }
    }

    private static func checkHeader(_ descriptor: Int32, _ path: String) throws(StoreError) {
        var header = [UInt8](repeating: 0, count: headerBytes)
        let count = pread(descriptor, &header, headerBytes, 0)
        guard count == headerBytes, header.starts(with: Array("SQLite format 3\0".utf8)) else { throw .foreign(path) }
        func number(at offset: Int) -> Int64 { header[offset..<offset + 4].reduce(0) { $0 << 8 | Int64($1) } }
        try check(applicationID: number(at: applicationOffset), version: number(at: versionOffset), path)
    }

    static func check(applicationID: Int64, version: Int64, _ path: String) throws(StoreError) {
        guard applicationID == Self.applicationID else { throw .foreign(path) }
        guard version <= Self.version else { throw StoreError(path, "was written by a newer tripwatch, and this one does not know how") }
        guard version > 0 else { throw .damaged(path) }
    }

    /// SQLite throws a log away that belongs to no file, and with it the last changes of a server that was killed.
    private static func checkNoLogIsLeft(of path: String) throws(StoreError) {
        // Another server may have made the file, and its log, in this moment.
        guard access(path + "-wal", F_OK) == 0, access(path, F_OK) != 0 else { return }
        let log = FleetEngineError.shown(path + "-wal")
        throw StoreError(
            path,
            "is gone, but its log \(log) is there and holds changes: put the file back, run 'tripwatch serve restore BACKUP --database FILE', "
                + "or move the log away to start without them")
    }

    /// Makes an empty store that is whole before it has its name.
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
        // Another server may have been faster: then its file is the store.
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

/// A file that gets its name when it is complete.
struct Draft {
    let path: String

    /// An empty file that only its owner may read.
    init(beside path: String) throws(StoreError) {
        self.path = "\(path).\(getpid())"
        do throws(SystemError) { try Files.make(self.path, [], isSynchronized: false) } catch { throw StoreFile.refusal(path, error.code) }
    }

    /// Brings it to the disk, and gives it its name unless a file has that.
    /// - Returns: why that is not possible.
    func publish(as name: String) -> Int32? {
        do throws(SystemError) { try Files.publish(path, as: name) } catch { return error.code }
        return nil
    }

    func remove() { unlink(path) }

    /// Why the file cannot have a length, in the system's words; nil where it can.
    func refusal(ofBytes count: Int64) -> String? {
        let file = open(path, O_WRONLY | O_CLOEXEC)
        guard file >= 0 else { return SystemError.last.phrase }
        defer { close(file) }
        let failure = posix_fallocate(file, 0, off_t(max(1, count)))
        return failure == 0 ? nil : SystemError(failure).phrase
    }
}
