import GRPCCore
import GRPCProtobuf
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
}

/// Encodes what is not encoded yet.
struct ReplySerializer<Answer: Message>: MessageSerializer {
    func serialize<Bytes: GRPCContiguousBytes>(_ reply: EngineReply<Answer>) throws -> Bytes {
        switch reply {
        case .message(let answer): try ProtobufSerializer<Answer>().serialize(answer)
        case .encoded(let bytes): Bytes(bytes)
        }
    }
}
