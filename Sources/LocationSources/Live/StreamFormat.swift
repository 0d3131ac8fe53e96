import FleetEngine
public import PhoneIntake

/// Format of the lines in a stream of positions.
public enum StreamFormat: Hashable, Sendable, CaseIterable {
    /// Each line is the body of one request of a phone app.
    case phone(PhoneFormat)
    /// Sentences of an NMEA 0183 receiver.
    case nmea

    /// All formats, those of phones first.
    public static var allCases: [StreamFormat] { PhoneFormat.allCases.map { .phone($0) } + [.nmea] }

    /// Name of the format, such as `owntracks`.
    public var name: String {
        switch self {
        case .phone(let format): format.rawValue
        case .nmea: "nmea"
        }
    }

    /// - Returns: nil for an unknown name.
    public init?(name: String) {
        guard let found = Self.allCases.first(where: { $0.name == name }) else { return nil }
        self = found
    }

    /// Maximum size of a line, in bytes. For phones, it is the maximum size of an app's request.
    var longestBytes: Int { self == .nmea ? 4_096 : 1 << 20 }
}
