import Foundation

/// A folder that is removed when this object is released.
final class Folder: Sendable {
    let path = FileManager.default.temporaryDirectory.appending(path: "tripwatch-keys-\(UUID().uuidString)").path
    init() throws { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true) }
    deinit { try? FileManager.default.removeItem(atPath: path) }

    var keys: String { path + "/state/keys" }

    func mode(_ name: String) -> Int? {
        (try? FileManager.default.attributesOfItem(atPath: name))?[.posixPermissions] as? Int
    }

    func write(_ name: String, _ text: String) throws -> String {
        try Data(text.utf8).write(to: URL(filePath: path + "/" + name))
        return path + "/" + name
    }
}
