import FleetEngineWire
import SwiftProtobuf

/// When a part of a trip or vehicle last changed, in microseconds since 1970. Stamps of one engine strictly increase.
package struct ChangeStamp: Comparable, Hashable, Sendable {
    package var microseconds: Int64

    package init(microseconds: Int64) { self.microseconds = microseconds }

    package static func < (left: Self, right: Self) -> Bool { left.microseconds < right.microseconds }

    /// Whether a caller who has the version `known` lacks what has this stamp: the version on the wire is an exclusive minimum.
    func isNewer(than known: Google_Protobuf_Timestamp?) -> Bool {
        guard let known else { return true }
        let own = Google_Protobuf_Timestamp(stamp: self)
        return (own.seconds, own.nanos) > (known.seconds, known.nanos)
    }
}

extension Google_Protobuf_Timestamp {
    init(stamp: ChangeStamp) { self.init(microsecondsSince1970: stamp.microseconds) }
}
