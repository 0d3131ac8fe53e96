import Foundation

/// Whom a file belongs to.
enum FileOwner {
    /// The account's number; nil where there is no such file.
    static func of(_ path: String) -> UInt32? {
        (try? FileManager.default.attributesOfItem(atPath: path))?[.ownerAccountID].flatMap { ($0 as? NSNumber)?.uint32Value }
    }
}
