import Files
import Glibc

/// Where a store is, or is going to be, while another one takes its place. No server can open what is there as long as this lives.
final class StorePlace {
    /// What SQLite keeps beside a database, by what is added to its name.
    private static let companions = ["-wal", "-shm", "-journal"]
    private static let mostFormers = 10_000

    /// Without symbolic links: SQLite keeps its files beside the file itself.
    let path: String
    private let shownPath: String
    /// Nil where no file is there.
    private let descriptor: Int32?
    private var status = stat()

    /// - Throws: where a server has the store, or it is no file.
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

    /// Whether a path leads to the file that is there.
    func isTaken(by other: String) -> Bool { descriptor != nil && Self.isSame(path, other) }

    private static func isSame(_ one: String, _ other: String) -> Bool {
        var first = stat()
        var second = stat()
        guard stat(one, &first) == 0, stat(other, &second) == 0 else { return false }
        return first.st_dev == second.st_dev && first.st_ino == second.st_ino
    }

    /// Moves what is there aside, and puts a draft in its place; where that fails, everything is as it was.
    ///
    /// - Returns: where what was there is now; nil where nothing was.
    func give(to draft: Draft) throws(StoreError) -> String? {
        try keepOwner(of: draft)
        let former = try freeName()
        var moved: [String] = []
        // A server that is started in between finds no file rather than one without its log.
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
            let rest = moved.isEmpty ? "" : ", and what was there before is \(former)"
            throw StoreError(shownPath, "was made by another program in this moment\(rest): end that program, and restore again")
        }
        // The file may have its name, but a crash could still lose it.
        if Self.isSame(path, draft.path) { unlink(path) }
        putBack(moved, from: former)
        throw StoreError(shownPath, "cannot be written: \(SystemError(failure).words)")
    }

    private func putBack(_ ends: [String], from former: String) {
        for end in ends.reversed() { rename(former + end, path + end) }
    }

    /// What root restores belongs to those to whom the store belonged, or its folder: their server has to open it.
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
        throw StoreError(shownPath, "has \(Self.mostFormers) former databases beside it: remove some")
    }
}
