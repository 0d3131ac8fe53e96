import FoundationEssentials

/// Public test data in a folder beside the package. It may be missing.
enum SharedData {
    static let map: String = {
        var parts = #filePath.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        parts.removeLast(4)
        return (parts + ["..", "shared", "data", "map"]).joined(separator: "/")
    }()

    static var isPresent: Bool { FileManager.default.fileExists(atPath: map + "/mvt-fixtures/fixtures") }

    static func bytes(_ path: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: URL(filePath: map + "/" + path)))
    }

    static func names(in path: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: map + "/" + path).sorted()
    }
}
