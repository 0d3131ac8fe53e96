import Files
import Glibc

/// The path of a store that is being replaced by another store. If there is a file at the path, no server can open it during this object's
/// lifetime.
final class StorePlace {
    /// Suffixes of the files that SQLite keeps beside a database.
    private static let companions = ["-wal", "-shm", "-journal"]
    private static let mostFormers = 10_000

    /// The path without symbolic links, because SQLite keeps its files beside the file itself.
    let path: String
    private let shownPath: String
    /// The descriptor of the current file; nil if there is no file.
    private let descriptor: Int32?
    private var status = stat()

    /// Locks the store at this path.
    /// - Throws: an error if a server uses the store, if the file cannot be opened, or if the path leads to something other than a file. A
    ///   missing file is no error; then nothing is locked.
    init(_ path: String) throws(StoreError) {
        shownPath = path
        self.path = Files.resolved(path)
        let descriptor = open(self.path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard descriptor >= 0 else {
            guard errno == ENOENT else { throw StoreFile.refusal(path, errno) }
            self.descriptor = nil
            return
        }
        self.descriptor = descriptor
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { throw .foreign(path) }
        try StoreFile.lock(descriptor, path)
    }

    deinit { if let descriptor { close(descriptor) } }

    /// Returns whether another path leads to the same file.
    func isTaken(by other: String) -> Bool { descriptor != nil && Self.isSame(path, other) }

    private static func isSame(_ one: String, _ other: String) -> Bool {
        var first = stat()
        var second = stat()
        guard stat(one, &first) == 0, stat(other, &second) == 0 else { return false }
        return first.st_dev == second.st_dev && first.st_ino == second.st_ino
    }

    /// Renames the current store, and gives the draft the store's path. On failure, the store keeps its path, unless another program
    /// has just created a file there.
    ///
    /// - Returns: the new path of the previous store; nil if there was no store.
    func give(to draft: Draft) throws(StoreError) -> String? {
        try keepOwner(of: draft)
        let former = try freeName()
        var moved: [String] = []
        // The database file is renamed first. A server that starts at this moment finds no file, which is safer than a file
        // without its log.
        for end in ["", "-shm", "-journal", "-wal"] {
            if rename(path + end, former + end) == 0 {
                moved.append(end)
            } else if errno != ENOENT {
                let reason = errno
                putBack(moved, from: former)
                throw StoreFile.refusal(shownPath + end, reason)
            }
        }
        guard let failure = draft.publish(as: path) else { return moved.isEmpty ? nil : former }
        guard failure != EEXIST else {
            let rest = moved.isEmpty ? "" : ", and the old database is now \(former)"
            throw StoreError(shownPath, "was just created by another program\(rest): stop that program, and restore again")
        }
        // If only the sync of the folder failed, the draft is already at the store's path. A crash could still undo this, so the draft is
        // removed from the path.
        if Self.isSame(path, draft.path) { unlink(path) }
        putBack(moved, from: former)
        throw StoreError(shownPath, "cannot be written: \(SystemError(failure).words)")
    }

    private func putBack(_ ends: [String], from former: String) {
        for end in ends.reversed() { rename(former + end, path + end) }
    }

    /// Gives the draft the owner and the permissions of the current store. If there is no store and the program runs as root, the draft
    /// gets the owner of the folder. A server of that owner can then open the store that root has restored.
    private func keepOwner(of draft: Draft) throws(StoreError) {
        var owner = status
        if descriptor == nil {
            guard geteuid() == 0, stat(Files.folder(of: path), &owner) == 0 else { return }
        } else if chmod(draft.path, owner.st_mode & 0o777 | 0o600) != 0 {
            throw StoreFile.refusal(shownPath, errno)
        }
        guard owner.st_uid == geteuid() && geteuid() != 0 || chown(draft.path, owner.st_uid, owner.st_gid) == 0 else {
            throw StoreError(shownPath, "belongs to another account: run 'serve restore' as that account, or as root")
        }
    }

    private func freeName() throws(StoreError) -> String {
        for number in 1...Self.mostFormers {
            let name = "\(path).before-restore-\(number)"
            var status = stat()
            if ([""] + Self.companions).allSatisfy({ lstat(name + $0, &status) != 0 && errno == ENOENT }) { return name }
        }
        throw StoreError(shownPath, "has \(Self.mostFormers) old databases beside it (\(shownPath).before-restore-N): delete some")
    }
}
