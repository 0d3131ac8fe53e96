import Foundation

enum FileOwner {
    /// Returns the user ID of a file's owner; nil if the file does not exist.
    static func of(_ path: String) -> UInt32? {
        (try? FileManager.default.attributesOfItem(atPath: path))?[.ownerAccountID].flatMap { ($0 as? NSNumber)?.uint32Value }
    }
}
