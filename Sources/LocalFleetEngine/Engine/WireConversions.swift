import FleetEngine
import FleetEngineAPI
import FoundationEssentials
import Geo
import SwiftProtobuf

/// When a part of a trip or vehicle last changed, in microseconds since 1970. Stamps of one engine strictly increase.
struct ChangeStamp: Comparable, Hashable, Sendable {
    var microseconds: Int64

    static func < (left: Self, right: Self) -> Bool { left.microseconds < right.microseconds }

    /// Whether a caller who has the version `known` lacks what has this stamp: the version on the wire is an exclusive minimum.
    func isNewer(than known: Google_Protobuf_Timestamp?) -> Bool {
        guard let known else { return true }
        let own = Google_Protobuf_Timestamp(stamp: self)
        return (own.seconds, own.nanos) > (known.seconds, known.nanos)
    }
}

extension Google_Protobuf_Timestamp {
    /// The range of the message: years 1 to 9999.
    static let secondsRange: ClosedRange<Int64> = -62_135_596_800...253_402_300_799

    /// The moment to the microsecond; one outside the years 1 to 9999 becomes the nearest end.
    init(moment: Date) {
        self.init(stamp: ChangeStamp(microseconds: moment.microsecondsSince1970))
    }

    init(stamp: ChangeStamp) {
        self.init()
        let (quotient, remainder) = stamp.microseconds.quotientAndRemainder(dividingBy: 1_000_000)
        seconds = remainder < 0 ? quotient - 1 : quotient
        nanos = Int32(truncatingIfNeeded: (remainder < 0 ? remainder + 1_000_000 : remainder) * 1_000)
    }

    var isInRange: Bool { Self.secondsRange.contains(seconds) && (0..<1_000_000_000).contains(nanos) }

    var moment: Date { Date(timeIntervalSince1970: Double(seconds) + Double(nanos) * 1e-9) }
}

extension Google_Protobuf_Duration {
    /// A length of time in seconds, to the microsecond; not a number counts as none, and ±10,000 years is the limit.
    init(lengthSeconds: Double) {
        self.init()
        let limited = lengthSeconds.isNaN ? 0 : min(max(lengthSeconds, -315_576_000_000), 315_576_000_000)
        let micro = Int64((limited * 1e6).rounded())
        let (quotient, remainder) = micro.quotientAndRemainder(dividingBy: 1_000_000)
        seconds = quotient
        nanos = Int32(truncatingIfNeeded: remainder * 1_000)
    }

    var lengthSeconds: Double { Double(seconds) + Double(nanos) * 1e-9 }
}

extension Date {
    /// Clamped to the years 1 to 9999.
    var microsecondsSince1970: Int64 {
        let range = Google_Protobuf_Timestamp.secondsRange
        let seconds = timeIntervalSince1970
        guard seconds.isFinite else { return 0 }
        let limited = min(max(seconds, Double(range.lowerBound)), Double(range.upperBound))
        return Int64((limited * 1e6).rounded())
    }
}

extension Google_Protobuf_Int32Value {
    /// Rounded, and clamped to what fits; not a number counts as 0.
    init(rounding number: Double) {
        self.init(Int32(clamping: Int64(min(max(number.isNaN ? 0 : number, -1e10), 1e10).rounded())))
    }
}

extension WireLatLng {
    init(_ coordinate: Coordinate) {
        self.init()
        latitude = coordinate.latitude
        longitude = coordinate.longitude
    }

    var coordinate: Coordinate { Coordinate(latitude: latitude, longitude: longitude) }
}

extension TripStatus {
    /// The same state; numbers of a later version are `.unknown`. Written out, because every answer asks for it.
    init(_ wire: WireTripStatus) {
        switch wire {
        case .new: self = .new
        case .enrouteToPickup: self = .enrouteToPickup
        case .arrivedAtPickup: self = .arrivedAtPickup
        case .enrouteToDropoff: self = .enrouteToDropoff
        case .complete: self = .complete
        case .canceled: self = .canceled
        case .arrivedAtIntermediateDestination: self = .arrivedAtIntermediateDestination
        case .enrouteToIntermediateDestination: self = .enrouteToIntermediateDestination
        case .unknownTripStatus, .UNRECOGNIZED: self = .unknown
        }
    }
}
