import GRPCCore
import NIOCore
import NIOHTTP2

/// A call from its header until its stream is closed.
final class GRPCCall {
    enum Stage {
        /// The message is not complete.
        case receiving(GRPCRequest)
        /// The method runs.
        case working(Task<Void, Never>)
        /// The last header is sent, or the call is gone.
        case over
    }

    let stream: HTTP2StreamID
    /// Nil for a request that is no gRPC call.
    let head: GRPCCallHead?
    /// Nil for an unknown method.
    let method: GRPCMethod?
    var stage: Stage
    /// Whether the client has ended its half of the stream.
    var isReceived = false
    /// Bytes of the message in the connection's share, also after decompression, until the call is over.
    var heldBytes = 0
    /// Judges the header before the message arrives; nil if the header is judged with the message.
    var admission: Task<Void, any Error>?
    /// Whether the first header of the answer is sent.
    var isBeingAnswered = false
    /// Whether the call did something for its caller.
    var isUse = false
    /// The latest time for a complete message.
    private let requestDeadline: NIODeadline
    /// The time until which the caller waits.
    private let deadline: NIODeadline

    init(stream: HTTP2StreamID, head: GRPCCallHead, method: GRPCMethod?, limits: GRPCLimits, now: NIODeadline) {
        self.stream = stream
        self.head = head
        self.method = method
        let messageBytes = min(limits.messageBytes, method?.messageBytes ?? limits.messageBytes)
        stage = .receiving(GRPCRequest(limit: messageBytes, encoding: head.encoding ?? .identity))
        requestDeadline = now + limits.requestTime
        deadline = head.timeout.map { now + $0 } ?? .distantFuture
    }

    /// A request that is no gRPC call.
    init(refused stream: HTTP2StreamID) {
        self.stream = stream
        head = nil
        method = nil
        stage = .over
        requestDeadline = .distantFuture
        deadline = .distantFuture
    }

    /// Whether the call gets one message after another.
    var isWatch: Bool { method?.isStreaming == true }

    /// The time at which the call is given up if nothing happens, and the reason; nil for never.
    var limit: (moment: NIODeadline, reason: RPCError)? {
        switch stage {
        case .receiving where requestDeadline < deadline: (requestDeadline, Self.tooLate("the request did not arrive in time"))
        case .receiving, .working: deadline == .distantFuture ? nil : (deadline, Self.tooLate("the caller's deadline has passed"))
        case .over: nil
        }
    }

    private static func tooLate(_ message: String) -> RPCError { RPCError(code: .deadlineExceeded, message: message) }
}
