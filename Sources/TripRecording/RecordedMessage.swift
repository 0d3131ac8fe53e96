import BoundedJSON
import FleetEngine
import FoundationEssentials
import SwiftProtobuf

/// A message in the text of a `.trip` file. It is decoded each time it is needed, because a decoded message can need many times as much
/// memory as its text.
struct RecordedMessage<Message: SwiftProtobuf.Message>: Sendable {
    let json: ArraySlice<UInt8>

    /// Returns nil for text that is not such a message.
    /// - Parameter previous: a message that was read before. If its text is the same, the text is not checked again.
    init?(_ json: ArraySlice<UInt8>, after previous: Self? = nil) {
        self.json = json
        if json != previous?.json, decoded == nil { return nil }
    }

    var decoded: Message? {
        var options = JSONDecodingOptions()
        options.ignoreUnknownFields = true
        options.messageDepthLimit = FleetEngineLog.maximumDepth
        return try? Message(jsonUTF8Bytes: Array(json), options: options)
    }
}

/// A failed call in the text of a `.trip` file. It is decoded each time it is needed.
struct RecordedFailure: Sendable {
    private struct Members: Decodable {
        var code: String
        var message: String?
        var origin: String?
        var retryInSeconds: Double?

        enum CodingKeys: String, CodingKey {
            case code, message, origin
            case retryInSeconds = "retry_in_s"
        }
    }

    private let json: ArraySlice<UInt8>

    /// Returns nil for text that is not a failure.
    init?(_ json: ArraySlice<UInt8>) {
        self.json = json
        if members == nil { return nil }
    }

    private var members: Members? { try? JSONDecoder().decodeBounded(Members.self, from: Data(json)) }

    var error: FleetEngineError {
        let members = self.members
        return FleetEngineError(
            code: members.flatMap { StatusCode(name: $0.code) } ?? .unknown, message: members?.message ?? "",
            origin: members?.origin.flatMap(FleetEngineError.Origin.init) ?? .server)
    }

    /// The time to the next call; nil if unknown.
    var retryInSeconds: Double? { members?.retryInSeconds }
}
