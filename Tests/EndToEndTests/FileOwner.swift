import Glibc

/// Whom a file belongs to.
enum FileOwner {
    /// The account's number; nil where there is no such file.
    static func of(_ path: String) -> UInt32? {
        var status = stat()
        return stat(path, &status) == 0 ? status.st_uid : nil
    }
}
