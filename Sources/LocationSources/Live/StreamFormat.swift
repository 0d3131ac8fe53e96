import FleetEngine
public import PhoneIntake

/// What the lines of a stream of positions are.
public enum StreamFormat: Hashable, Sendable, CaseIterable {
    /// A line is what a phone's app sends in one request.
    case phone(PhoneFormat)
    /// Sentences of a receiver.
    case nmea

    /// Those of phones first.
    public static var allCases: [StreamFormat] { PhoneFormat.allCases.map { .phone($0) } + [.nmea] }

    /// Such as `owntracks`.
    public var name: String {
        switch self {
        case .phone(let format): format.rawValue
        case .nmea: "nmea"
        }
    }

    /// - Returns: nil for a name that none has.
    public init?(name: String) {
        guard let found = Self.allCases.first(where: { $0.name == name }) else { return nil }
        self = found
    }

    /// The longest line that is read, bytes: the largest request that an app makes.
    var longestBytes: Int { self == .nmea ? 4_096 : 1 << 20 }
}
