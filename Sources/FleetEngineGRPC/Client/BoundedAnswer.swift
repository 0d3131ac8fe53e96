import FleetEngineWire
import GRPCCore
import GRPCProtobuf
import SwiftProtobuf

/// Decodes an answer. Refuses an answer with too many parts, because it would take much more memory than its bytes.
struct BoundedAnswer<Message: SwiftProtobuf.Message>: MessageDeserializer {
    func deserialize<Bytes: GRPCContiguousBytes>(_ bytes: Bytes) throws -> Message {
        guard !bytes.withUnsafeBytes({ MessageParts.areTooMany(in: $0) }) else {
            throw RPCError(code: .internalError, message: "too many parts", cause: TooManyParts())
        }
        return try ProtobufDeserializer<Message>().deserialize(bytes)
    }
}

/// The error for an answer with too many parts.
struct TooManyParts: Error {}
