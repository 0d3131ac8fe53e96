import Foundation

enum FileOwner {
    /// Number of the account that owns a file; nil if there is no such file.
    static func of(_ path: String) -> UInt32? {
        (try? FileManager.default.attributesOfItem(atPath: path))?[.ownerAccountID].flatMap { ($0 as? NSNumber)?.uint32Value }
    }
}
