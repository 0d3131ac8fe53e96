package import Glibc

extension Files {
    private static let draftEnding = ".draft"

    /// Returns the permissions of the file at this path; nil if the file does not exist.
    package static func mode(of path: String) -> mode_t? {
        var status = stat()
        return stat(path, &status) == 0 ? status.st_mode & 0o777 : nil
    }

    /// Whether the mode of a regular file lets every user read it.
    package static func isReadableByAll(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && status.st_mode & 0o004 != 0
    }

    /// Writes a new file. A write that fails leaves no file behind.
    ///
    /// - Parameters:
    ///   - mode: the file's permissions, regardless of the umask.
    ///   - isSynchronized: whether to wait until the bytes are on the disk.
    package static func make(
        _ path: String, _ bytes: [UInt8], mode: mode_t = 0o600, isSynchronized: Bool = true
    ) throws(SystemError) {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw .last }
        do throws(SystemError) {
            defer { close(descriptor) }
            try fill(descriptor, bytes, mode: mode, isSynchronized: isSynchronized)
        } catch {
            unlink(path)
            throw error
        }
    }

    private static func fill(_ descriptor: Int32, _ bytes: [UInt8], mode: mode_t, isSynchronized: Bool) throws(SystemError) {
        do throws(UnfinishedWrite) { try write(bytes, to: descriptor) } catch { throw error.reason }
        // Some file systems have no permissions and refuse to change them. The file already has the mode 0600, so this mode is not set
        // again.
        guard mode == 0o600 || fchmod(descriptor, mode) == 0 else { throw .last }
        guard !isSynchronized || fsync(descriptor) == 0 else { throw .last }
    }

    /// Replaces a file, or makes a new one. Other programs read either all old bytes or all new bytes.
    ///
    /// The bytes are first written to `FILE.PID.draft` in the same folder. If the path is a symbolic link, the link itself is replaced; to
    /// replace its target, use ``resolved(_:)``.
    /// - Parameters:
    ///   - mode: the new file's permissions, regardless of the umask: see ``mode(of:)``.
    ///   - isSynchronized: whether to wait until the new file is on the disk and survives a loss of power.
    package static func replace(
        _ path: String, with bytes: [UInt8], mode: mode_t = 0o600, isSynchronized: Bool = true
    ) throws(SystemError) {
        let draft = draft(for: path)
        try make(draft, bytes, mode: mode, isSynchronized: isSynchronized)
        guard rename(draft, path) == 0 else {
            let reason = SystemError.last
            unlink(draft)
            throw reason
        }
        // A failure is ignored, because the new file already has its name, and some file systems cannot synchronize a folder.
        if isSynchronized { try? synchronizeFolder(of: path) }
    }

    /// Makes a file with mode 0600. The file gets its name only when it is complete.
    /// - Returns: false if a file already has that name. The existing file stays unchanged.
    package static func create(_ path: String, _ bytes: [UInt8]) throws(SystemError) -> Bool {
        let draft = draft(for: path)
        try make(draft, bytes)
        defer { unlink(draft) }
        guard link(draft, path) == 0 else {
            let reason = SystemError.last
            if reason.code == EEXIST { return false }
            throw reason
        }
        try? synchronizeFolder(of: path)
        return true
    }

    /// Writes all data of a complete file to the disk, then gives the file a second name.
    /// - Throws: `SystemError`, with `EEXIST` if the second name is taken. After any other error, the file may already have the second
    ///   name.
    package static func publish(_ file: String, as path: String) throws(SystemError) {
        let descriptor = open(file, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .last }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0, link(file, path) == 0 else { throw .last }
        try synchronizeFolder(of: path)
    }

    private static func synchronizeFolder(of path: String) throws(SystemError) {
        let descriptor = open(folder(of: path), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        // A folder can be writable but not readable.
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw .last }
    }

    /// Returns the name of this process's draft of a file. Also removes drafts of processes that ended while writing them.
    private static func draft(for file: String) -> String {
        let folder = folder(of: file)
        let prefix = (file.lastIndex(of: "/").map { file[file.index(after: $0)...] } ?? file[...]) + "."
        for name in names(in: folder) where name.hasPrefix(prefix) && name.hasSuffix(draftEnding) {
            guard let process = pid_t(name.dropFirst(prefix.count).dropLast(draftEnding.count)), process > 0,
                // An earlier process with the same id may have left this draft.
                process == getpid() || kill(process, 0) != 0 && errno == ESRCH
            else { continue }
            unlink(folder + name)
        }
        return "\(file).\(getpid())\(draftEnding)"
    }

    /// Returns the names of the files in a folder; empty if the folder cannot be read.
    private static func names(in folder: String) -> [String] {
        guard let stream = opendir(folder) else { return [] }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            names.append(withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) })
        }
        return names
    }
}
