import Crypto
import FleetEngine
package import FoundationEssentials
import Geo
import PhoneIntake

/// The digest of a phone's key. The time of comparing digests tells nothing about the key.
package struct PhoneKey: Hashable, Sendable {
    private static let digestBytes = 32

    let digest: [UInt8]

    package init(of key: String) { digest = Array(SHA256.hash(data: Array(key.utf8))) }

    /// Nil if the bytes are no digest.
    init?(digest: [UInt8]) {
        guard digest.count == Self.digestBytes else { return nil }
        self.digest = digest
    }
}

/// The phone in a vehicle, and the vehicle's data from it.
package struct PhoneRecord: Equatable, Sendable {
    var key: PhoneKey
    /// Whether the vehicle's trips wait for the desk.
    var isManual: Bool
    var car = PhoneCar()
    var trips = PhoneTrips()
    /// The phone's navigation as last told to the engine.
    var told: PhoneNavigation?
    /// The filter with the fixes discarded before.
    var jumps = JumpFilter()
    /// The seconds by which the phone's clock is ahead, while all its positions have impossible times. It is not stored.
    package var clockAheadSeconds: Int?
    /// The time from which the key is invalid, by the engine's clock; nil for a key without an end.
    package var keyEnd: Date?
    /// The time of the last message with the key.
    package var lastHeard: Date?

    /// Whether a fix is impossible because the car would have had to fly.
    mutating func discards(_ fix: PhoneFix) -> Bool { jumps.discards(JumpFilter.Fix(fix), after: car.newest.map(JumpFilter.Fix.init)) }
}

extension JumpFilter.Fix {
    fileprivate init(_ fix: PhoneFix) {
        self.init(place: fix.coordinate, time: fix.time, accuracyMeters: fix.accuracyMeters ?? 0)
    }
}
