import Crypto
import FleetEngine
package import FoundationEssentials
import Geo
import PhoneIntake

/// What is kept of a phone's key, for ever: comparing digests tells nothing about a key, however long it takes.
package struct PhoneKey: Hashable, Sendable {
    private static let digestBytes = 32

    let digest: [UInt8]

    package init(of key: String) { digest = Array(SHA256.hash(data: Array(key.utf8))) }

    /// Nil for what is no digest.
    init?(digest: [UInt8]) {
        guard digest.count == Self.digestBytes else { return nil }
        self.digest = digest
    }
}

/// The phone in a vehicle, and what is known of the vehicle by it.
package struct PhoneRecord: Equatable, Sendable {
    var key: PhoneKey
    /// Whether the vehicle's trips wait for the desk.
    var isManual: Bool
    var car = PhoneCar()
    var trips = PhoneTrips()
    /// What the engine was told last of the phone's navigation.
    var told: PhoneNavigation?
    /// What was left out of its fixes before this.
    var jumps = JumpFilter()
    /// By how much the phone's clock is ahead, seconds, while nothing but positions of impossible times comes; not kept in the store.
    package var clockAheadSeconds: Int?
    /// From when on the key opens nothing, by the engine's clock; nil for a key without an end.
    package var keyEnd: Date?
    /// When a message came with the key last.
    package var lastHeard: Date?

    /// Whether a fix cannot be: the car would have had to fly.
    mutating func discards(_ fix: PhoneFix) -> Bool { jumps.discards(JumpFilter.Fix(fix), after: car.newest.map(JumpFilter.Fix.init)) }
}

extension JumpFilter.Fix {
    fileprivate init(_ fix: PhoneFix) {
        self.init(place: fix.coordinate, time: fix.time, accuracyMeters: fix.accuracyMeters ?? 0)
    }
}
