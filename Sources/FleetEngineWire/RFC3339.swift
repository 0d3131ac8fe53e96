import FleetEngine
package import SwiftProtobuf

extension Google_Protobuf_Timestamp {
    /// Reads an RFC 3339 time such as `2025-02-05T17:02:31.483732Z`, or a time with an offset such as `+01:00`. Fractional digits after
    /// the ninth are ignored.
    package init?(rfc3339 text: String) {
        guard let moment = MomentText(text) else { return nil }
        self.init(seconds: moment.seconds, nanos: Int32(truncatingIfNeeded: moment.nanoseconds))
    }
}
