public import TerminalMap

/// What a file lays over a map.
public struct OverlayFile: Sendable {
    /// Files larger than this are not read, in bytes.
    public static let maximumBytes = 64 << 20

    /// The file's lines and areas.
    public internal(set) var shapes: [GroundOverlay.Shape] = []
    /// The file's places.
    public internal(set) var places: [GroundOverlay.Place] = []
    /// Geometries that make no sense and were left out.
    public internal(set) var leftOut = 0

    init() {}

    /// Reads a file by what is in it.
    ///
    /// - Throws: `OverlayFileError` for what is broken as a whole.
    public init(_ bytes: [UInt8]) throws(OverlayFileError) {
        guard bytes.count <= Self.maximumBytes else { throw .tooLarge }
        guard let first = bytes.first(where: { !Self.isSkipped($0) }) else { throw .empty }
        guard first == UInt8(ascii: "{") else { throw .unknownKind }
        self = try GeoJSONReader.read(bytes)
    }

    /// Blanks and the bytes of a byte order mark.
    private static func isSkipped(_ byte: UInt8) -> Bool { [0x20, 0x09, 0x0a, 0x0d, 0xef, 0xbb, 0xbf].contains(byte) }
}

/// Why a file cannot be laid over a map.
public enum OverlayFileError: Error, Hashable, Sendable, CustomStringConvertible {
    /// It has no contents.
    case empty
    /// It is larger than ``OverlayFile/maximumBytes``.
    case tooLarge
    /// It is neither GeoJSON nor GPX.
    case unknownKind
    /// It is no JSON, or no GeoJSON, and why.
    case notGeoJSON(String)

    /// What comes after the file's name.
    public var description: String {
        switch self {
        case .empty: "is empty"
        case .tooLarge: "is larger than \(OverlayFile.maximumBytes >> 20) MB"
        case .unknownKind: "is neither GeoJSON nor GPX"
        case .notGeoJSON(let why): "is no GeoJSON: \(why)"
        }
    }
}
