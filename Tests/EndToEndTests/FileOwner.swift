import Foundation

/// Owner of a file.
enum FileOwner {
    /// The number of the owner's account; nil without such a file.
    static func of(_ path: String) -> UInt32? {
        (try? FileManager.default.attributesOfItem(atPath: path))?[.ownerAccountID].flatMap { ($0 as? NSNumber)?.uint32Value }
    }
}
