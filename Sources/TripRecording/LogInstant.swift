import FleetEngine
import FleetEngineWire
import FoundationEssentials
import SwiftProtobuf

/// A time to the nanosecond, from 1970 to early 2106. A `Date` in this range is exact only to the microsecond.
struct LogInstant: Hashable, Sendable, Comparable {
    /// Whole seconds since 1970, 0 ..< 2³².
    let seconds: Int64
    /// Nanoseconds after `seconds`, 0 ..< 1,000,000,000.
    let nanoseconds: Int32

    static func < (left: Self, right: Self) -> Bool { (left.seconds, left.nanoseconds) < (right.seconds, right.nanoseconds) }

    /// Returns nil for a time that is out of range.
    init?(seconds: Int64, nanoseconds: Int32) {
        guard (0..<1 << 32).contains(seconds), (0..<1_000_000_000).contains(nanoseconds) else { return nil }
        self.seconds = seconds
        self.nanoseconds = nanoseconds
    }

    var timestamp: Google_Protobuf_Timestamp { Google_Protobuf_Timestamp(seconds: seconds, nanos: nanoseconds) }

    var date: Date { timestamp.moment }

    var version: DataVersion { DataVersion(seconds: seconds, nanoseconds: nanoseconds) }

    /// The time one microsecond later. At the end of the range, the same time.
    var next: LogInstant {
        let sum = nanoseconds + 1000
        let isCarried = sum >= 1_000_000_000
        return LogInstant(seconds: seconds + (isCarried ? 1 : 0), nanoseconds: isCarried ? sum - 1_000_000_000 : sum) ?? self
    }
}

extension LogInstant {
    init?(_ timestamp: Google_Protobuf_Timestamp?) {
        guard let timestamp else { return nil }
        self.init(seconds: timestamp.seconds, nanoseconds: timestamp.nanos)
    }
}
