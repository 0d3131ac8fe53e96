/// A sentence of NMEA 0183. It has a valid checksum (`$GPRMC,…*5B`), or no checksum and enough fields (`$GPRMC,…`).
struct NMEASentence {
    /// Size limit of a sentence, in bytes. The standard allows 82, but receivers send more.
    private static let longestBytes = 400
    /// For each type, the minimum number of fields in a sentence without a checksum, including the address field.
    private static let leastFields = ["RMC": 10, "GGA": 12, "GNS": 11, "GLL": 7, "GST": 8, "ZDA": 5, "VTG": 6]

    /// The type of the sentence: the three letters after the talker ID.
    let type: String
    /// Whether a checksum proves that the sentence is complete.
    let isChecked: Bool
    private let fields: [Substring]

    /// - Parameter line: a line that ends with the sentence. Other text, such as a time, may come before it.
    init?(_ line: some Collection<UInt8>) {
        let bytes = Array(line.suffix(Self.longestBytes))
        guard let start = bytes.lastIndex(of: UInt8(ascii: "$")) else { return nil }
        let star = bytes[start...].firstIndex(of: UInt8(ascii: "*"))
        let body = bytes[(start + 1)..<(star ?? bytes.endIndex)]
        guard body.allSatisfy({ (0x20...0x7E).contains($0) }) else { return nil }
        fields = String(decoding: body, as: UTF8.self).split(separator: ",", omittingEmptySubsequences: false)
        let address = fields.first ?? ""
        type = String(address.suffix(3))
        isChecked = star != nil
        // Proprietary sentences begin with a P.
        guard address.count == 5, !address.hasPrefix("P") else { return nil }
        if let star {
            let digits = String(decoding: bytes[(star + 1)...].prefix { Self.isHexadecimal($0) }.prefix(2), as: UTF8.self)
            guard UInt8(digits, radix: 16) == body.reduce(0, ^) else { return nil }
        } else {
            guard let least = Self.leastFields[type], fields.count >= least else { return nil }
        }
    }

    private static func isHexadecimal(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x46, 0x61...0x66: true
        default: false
        }
    }

    /// Whether a line ends with a checksum, right or wrong.
    static func hasChecksum(_ line: some Collection<UInt8>) -> Bool {
        let bytes = Array(line.suffix(longestBytes))
        guard bytes.contains(UInt8(ascii: "$")), let star = bytes.lastIndex(of: UInt8(ascii: "*")) else { return false }
        return bytes[star...].dropFirst().first.map(isHexadecimal) ?? false
    }

    /// Returns the text of a field; empty if the field is missing.
    func text(_ index: Int) -> Substring { fields.indices.contains(index) ? fields[index] : "" }

    func number(_ index: Int) -> Double? { Double(text(index)).flatMap { $0.isFinite ? $0 : nil } }

    /// Returns the field `hhmmss.ss` in seconds since midnight.
    func timeOfDay(_ index: Int) -> Double? {
        guard let value = number(index), (0..<240_000).contains(value) else { return nil }
        let whole = Int(value)
        let (hours, minutes, seconds) = (whole / 10_000, whole / 100 % 100, Double(whole % 100) + value - Double(whole))
        guard minutes < 60, seconds < 61 else { return nil }
        return Double(hours * 3_600 + minutes * 60) + seconds
    }

    /// Returns the position in the fields `ddmm.mmmm,N,dddmm.mmmm,E` from `index` on.
    func place(_ index: Int) -> (latitude: Double, longitude: Double)? {
        guard let latitude = degrees(index, "N", "S", 90), let longitude = degrees(index + 2, "E", "W", 180) else { return nil }
        return (latitude, longitude)
    }

    private func degrees(_ index: Int, _ positive: String, _ negative: String, _ most: Double) -> Double? {
        guard let value = number(index), value >= 0, value < 20_000 else { return nil }
        let whole = (value / 100).rounded(.down)
        let degrees = whole + (value - whole * 100) / 60
        let side = text(index + 1)
        guard value - whole * 100 < 60, degrees <= most, side == positive || side == negative else { return nil }
        return side == negative ? -degrees : degrees
    }
}
