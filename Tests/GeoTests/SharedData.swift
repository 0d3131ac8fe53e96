import FoundationEssentials

/// Recorded data that is not part of the package, in a folder beside it. Tests that need the data are skipped if it is missing.
enum SharedData {
    static let polylineVectors = "navigation/polyline/polyline_vectors.json"
    static let fleetLog = "fleet-logs/bay-area-trip1.json"

    private static let root = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "../shared/data").standardizedFileURL

    static func exists(_ path: String) -> Bool {
        FileManager.default.fileExists(atPath: root.appending(path: path).path)
    }

    static func read(_ path: String) throws -> Data {
        try Data(contentsOf: root.appending(path: path))
    }
}
