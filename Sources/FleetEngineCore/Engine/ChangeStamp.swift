import FleetEngineWire
import SwiftProtobuf

/// The time of the last change to one part of a trip or vehicle, such as the route, in microseconds since 1970. Each stamp of an engine is
/// later than all earlier ones.
package struct ChangeStamp: Comparable, Hashable, Sendable {
    package var microseconds: Int64

    package init(microseconds: Int64) { self.microseconds = microseconds }

    package static func < (left: Self, right: Self) -> Bool { left.microseconds < right.microseconds }

    /// Returns whether the data with this stamp is newer than the version that the caller has. An equal version is not newer. Any data is
    /// newer for a caller without a version.
    func isNewer(than known: Google_Protobuf_Timestamp?) -> Bool {
        guard let known else { return true }
        let own = Google_Protobuf_Timestamp(stamp: self)
        return (own.seconds, own.nanos) > (known.seconds, known.nanos)
    }
}

extension Google_Protobuf_Timestamp {
    init(stamp: ChangeStamp) { self.init(microsecondsSince1970: stamp.microseconds) }
}
