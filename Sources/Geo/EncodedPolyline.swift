/// Google's encoded polyline: differences of rounded degrees, written with an alphabet of 64 characters
/// (https://developers.google.com/maps/documentation/utilities/polylinealgorithm). Fleet Engine uses another encoding, `S2Polyline`.
public enum EncodedPolyline {
    /// Number of decimal places to which degrees are rounded.
    public enum Precision: Sendable {
        /// Steps of about 1.1 m, as in Google's own format and OSRM's default.
        case five
        /// Steps of about 0.11 m, as in Valhalla's format and OSRM's `polyline6`.
        case six

        var scale: Double {
            switch self {
            case .five: 1e5
            case .six: 1e6
            }
        }
    }

    /// Encodes coordinates as text. Halves are rounded away from zero. Invalid coordinates are left out.
    public static func encode(_ coordinates: [Coordinate], precision: Precision = .five) -> String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(coordinates.count * 8)
        var previous = (latitude: Int32(0), longitude: Int32(0))
        for coordinate in coordinates where coordinate.isValid {
            let latitude = steps(coordinate.latitude, precision)
            let longitude = steps(coordinate.longitude, precision)
            append(latitude - previous.latitude, to: &bytes)
            append(longitude - previous.longitude, to: &bytes)
            previous = (latitude, longitude)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Decodes the coordinates in a string.
    /// - Parameter maximumCount: the largest number of points.
    /// - Throws: `invalidCharacter`, `truncated`, `numberTooLong`, `coordinateOutOfRange`, `tooManyPoints`.
    public static func decode(
        _ text: String, precision: Precision = .five, maximumCount: Int = .max
    ) throws(PolylineError) -> [Coordinate] {
        let bytes = Array(text.utf8)
        var coordinates: [Coordinate] = []
        coordinates.reserveCapacity(min(bytes.count / 4, maximumCount))
        var offset = 0
        var latitude: Int64 = 0
        var longitude: Int64 = 0
        while offset < bytes.count {
            latitude += Int64(try readDifference(bytes, &offset))
            longitude += Int64(try readDifference(bytes, &offset))
            let coordinate = Coordinate(latitude: Double(latitude) / precision.scale, longitude: Double(longitude) / precision.scale)
            guard coordinate.isValid else { throw .coordinateOutOfRange(index: coordinates.count) }
            guard coordinates.count < maximumCount else { throw .tooManyPoints(announced: UInt64(coordinates.count) + 1) }
            coordinates.append(coordinate)
        }
        return coordinates
    }

    /// Converts valid degrees to whole steps of the precision. The difference of two such numbers fits in 32 bits.
    private static func steps(_ degrees: Double, _ precision: Precision) -> Int32 {
        Int32(exactly: (degrees * precision.scale).rounded()) ?? 0
    }

    /// Appends a number with five bits per character, the lowest bits first. 32 is added to all characters but the last, and 63 to every
    /// character.
    private static func append(_ difference: Int32, to bytes: inout [UInt8]) {
        var rest = ZigZag.encode(difference)
        while rest >= 0x20 {
            bytes.append(UInt8(truncatingIfNeeded: (rest & 0x1f) | 0x20) + 63)
            rest >>= 5
        }
        bytes.append(UInt8(truncatingIfNeeded: rest) + 63)
    }

    private static func readDifference(_ bytes: [UInt8], _ offset: inout Int) throws(PolylineError) -> Int32 {
        let start = offset
        var value: UInt64 = 0
        for shift in stride(from: UInt64(0), to: 35, by: 5) {
            guard offset < bytes.count else { throw .truncated(offset: offset) }
            guard (63...126).contains(bytes[offset]) else { throw .invalidCharacter(offset: offset) }
            let digit = bytes[offset] - 63
            offset += 1
            value |= UInt64(digit & 0x1f) << shift
            guard digit < 0x20 else { continue }
            guard let bits = UInt32(exactly: value) else { break }
            return ZigZag.decode(bits)
        }
        throw .numberTooLong(offset: start)
    }
}
