import Crypto
import FleetEngine
package import FoundationEssentials
import Geo
import PhoneIntake

/// The digest of a phone's key. The duration of a digest comparison reveals nothing about the key.
package struct PhoneKey: Hashable, Sendable {
    private static let digestBytes = 32

    let digest: [UInt8]

    package init(of key: String) { digest = Array(SHA256.hash(data: Array(key.utf8))) }

    /// Creates a key from a digest; nil if the bytes are not a digest.
    init?(digest: [UInt8]) {
        guard digest.count == Self.digestBytes else { return nil }
        self.digest = digest
    }
}

/// The phone in a vehicle, and the vehicle's data from that phone.
package struct PhoneRecord: Equatable, Sendable {
    var key: PhoneKey
    /// Whether the provider sets the statuses of the vehicle's trips. Otherwise the engine sets them from the phone's fixes.
    var isManual: Bool
    var car = PhoneCar()
    var trips = PhoneTrips()
    /// The phone's navigation data, as last applied to the vehicle.
    var told: PhoneNavigation?
    /// The filter for impossible positions. It remembers the last fix that it has discarded.
    var jumps = JumpFilter()
    /// Seconds by which the phone's clock is ahead; negative if it is behind. Set if all positions of a message are refused, at least one
    /// of them because of its time. Nil again after a new key, or after a message with a usable position. Not stored.
    package var clockAheadSeconds: Int?
    /// The time from which the key is invalid, by the engine's clock; nil for a key that does not expire.
    package var keyEnd: Date?
    /// The time of the last message with the key.
    package var lastHeard: Date?

    /// Returns whether a fix must be dropped because the car cannot have reached the position of the fix.
    mutating func discards(_ fix: PhoneFix) -> Bool { jumps.discards(JumpFilter.Fix(fix), after: car.newest.map(JumpFilter.Fix.init)) }
}

extension JumpFilter.Fix {
    fileprivate init(_ fix: PhoneFix) {
        self.init(place: fix.coordinate, time: fix.time, accuracyMeters: fix.accuracyMeters ?? 0)
    }
}
