import SwiftProtobuf

/// An answer on its way out.
enum EngineReply<Answer: Message>: Sendable {
    case message(Answer)
    /// As it goes over the wire.
    case encoded([UInt8])

    var message: Answer {
        get throws {
            switch self {
            case .message(let answer): answer
            case .encoded(let bytes): try Answer(serializedBytes: bytes)
            }
        }
    }

    /// As it goes over the wire.
    var bytes: [UInt8] {
        get throws {
            switch self {
            case .message(let answer): try answer.serializedBytes()
            case .encoded(let bytes): bytes
            }
        }
    }
}
