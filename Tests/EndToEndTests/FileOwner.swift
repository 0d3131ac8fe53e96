import Foundation

enum FileOwner {
    /// Returns the number of the account that owns a file; nil if the file does not exist.
    static func of(_ path: String) -> UInt32? {
        (try? FileManager.default.attributesOfItem(atPath: path))?[.ownerAccountID].flatMap { ($0 as? NSNumber)?.uint32Value }
    }
}
