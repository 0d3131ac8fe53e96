import FoundationEssentials

/// Recorded data that lies beside the package and is not part of it; tests that want it are skipped where it is absent.
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
