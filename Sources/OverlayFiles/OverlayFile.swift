public import TerminalMap

/// The contents of a GeoJSON file whose shapes and places are drawn over a map.
public struct OverlayFile: Sendable {
    /// Size of the largest file that is read, in bytes.
    public static let maximumBytes = 16 << 20
    /// Largest number of JSON values in a file. A position of two numbers counts as three values. The map needs about 100 bytes
    /// per value.
    public static let maximumValueCount = 2_000_000

    /// The file's lines and areas.
    public internal(set) var shapes: [GroundOverlay.Shape] = []
    /// The file's places.
    public internal(set) var places: [GroundOverlay.Place] = []
    /// Number of geometries that were left out because they are invalid.
    public internal(set) var leftOut = 0

    init() {}

    /// Reads a GeoJSON file.
    ///
    /// - Throws: `OverlayFileError` if the file as a whole cannot be read.
    public init(_ bytes: [UInt8]) throws(OverlayFileError) {
        guard bytes.count <= Self.maximumBytes else { throw .tooLarge }
        guard let first = bytes.first(where: { !Self.isSkipped($0) }) else { throw .empty }
        guard first == UInt8(ascii: "{") else { throw .unknownKind }
        self = try GeoJSONReader.read(bytes)
    }

    /// Whether a byte is white space or belongs to a byte order mark.
    private static func isSkipped(_ byte: UInt8) -> Bool { [0x20, 0x09, 0x0a, 0x0d, 0xef, 0xbb, 0xbf].contains(byte) }
}

/// The reason why a file cannot be drawn over a map.
public enum OverlayFileError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The file has no contents.
    case empty
    /// The file is larger than ``OverlayFile/maximumBytes``.
    case tooLarge
    /// The file has more values than ``OverlayFile/maximumValueCount``.
    case tooManyValues
    /// The file does not begin like GeoJSON.
    case unknownKind
    /// The file is not JSON, or not GeoJSON. The text is the reason.
    case notGeoJSON(String)

    /// The reason, worded to follow the file's name, such as `is empty`.
    public var description: String {
        switch self {
        case .empty: "is empty"
        case .tooLarge: "is larger than \(OverlayFile.maximumBytes >> 20) MiB"
        case .tooManyValues: "has more than \(OverlayFile.maximumValueCount) JSON values; a position counts as three"
        case .unknownKind: "is neither GeoJSON nor GPX"
        case .notGeoJSON(let why): "is not GeoJSON: \(why)"
        }
    }
}
