/// The reason why an encoded line cannot be read. Offsets count from 0. For `EncodedPolyline` and base64, they count bytes of the text;
/// otherwise, bytes of the decoded data.
public enum PolylineError: Error, Hashable, Sendable {
    /// A byte that the alphabet does not contain.
    case invalidCharacter(offset: Int)
    /// Padding in the wrong place or a length that base64 cannot have.
    case invalidPadding
    /// The data ends too early.
    case truncated(offset: Int)
    /// A number with more bits than the format allows.
    case numberTooLong(offset: Int)
    /// A coordinate beyond ±90 or ±180 degrees. The usual cause is a wrong precision.
    case coordinateOutOfRange(index: Int)
    /// A format version that is neither 1 (lossless) nor 2 (compressed).
    case unsupportedVersion(UInt8)
    /// A cell level above 30.
    case invalidLevel(UInt8)
    /// A point count larger than the limit, or than the data can contain.
    case tooManyPoints(announced: UInt64)
    /// Runs of cube faces that do not add up to the number of points.
    case invalidFaceRun(offset: Int)
    /// A vertex that lies outside its cube face.
    case vertexOutsideFace(index: Int)
    /// An off-centre point for a vertex that does not exist.
    case offCenterIndexOutOfRange(UInt64)
    /// A point in space that is not finite, or is the origin.
    case invalidPoint(index: Int)
    /// Data after the end of the line.
    case trailingBytes(count: Int)
}

extension PolylineError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .invalidCharacter(let offset): "invalid character at byte \(offset)"
        case .invalidPadding: "invalid base64 padding"
        case .truncated(let offset): "the data ends too early, at byte \(offset)"
        case .numberTooLong(let offset): "a number at byte \(offset) is too long"
        case .coordinateOutOfRange(let index): "coordinate \(index) is out of range (wrong precision?)"
        case .unsupportedVersion(let version): "unsupported format version \(version)"
        case .invalidLevel(let level): "invalid cell level \(level)"
        case .tooManyPoints(let announced): "the number of points (\(announced)) is over the limit, or more than the data can contain"
        case .invalidFaceRun(let offset): "invalid run of cube faces at byte \(offset)"
        case .vertexOutsideFace(let index): "vertex \(index) lies outside its cube face"
        case .offCenterIndexOutOfRange(let index): "off-centre point for vertex \(index), but there is no such vertex"
        case .invalidPoint(let index): "point \(index) has no direction: its vector is zero or not finite"
        case .trailingBytes(let count): "extra bytes after the end of the polyline: \(count)"
        }
    }
}
