import GRPCCore
import NIOCore
import NIOHTTP2

/// A call, from the arrival of its header until its stream is closed.
final class GRPCCall {
    enum Stage {
        /// The message of the request has not arrived completely.
        case receiving(GRPCRequest)
        /// The method is running.
        case working(Task<Void, Never>)
        /// The trailers have been sent, or the call was stopped.
        case over
    }

    let stream: HTTP2StreamID
    /// The header of the call; nil if the request is not a gRPC call.
    let head: GRPCCallHead?
    /// The called method; nil if the server does not have it.
    let method: GRPCMethod?
    var stage: Stage
    /// Whether the client has ended its half of the stream.
    var isReceived = false
    /// Memory that the token and the message take from the connection's share until the call is over, in bytes. The message's decompressed
    /// form counts too.
    var heldBytes = 0
    /// The task that checks the header before the message arrives. Nil if both arrived in the same read, or if the method has no such
    /// check.
    var admission: Task<Void, any Error>?
    /// Whether the first header of the answer has been sent.
    var isBeingAnswered = false
    /// Whether the call did useful work for its caller. Only such calls keep an otherwise idle connection open.
    var isUse = false
    /// The time by which the message must have arrived completely.
    private let requestDeadline: NIODeadline
    /// The time until which the caller waits for the answer.
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

    /// Creates the call for a request that is not a gRPC call.
    init(refused stream: HTTP2StreamID) {
        self.stream = stream
        head = nil
        method = nil
        stage = .over
        requestDeadline = .distantFuture
        deadline = .distantFuture
    }

    /// Whether the answer of the call is a stream of messages.
    var isWatch: Bool { method?.isStreaming == true }

    /// The time at which an unfinished call fails, and the error with which it fails; nil if the call has no time limit.
    var limit: (moment: NIODeadline, reason: RPCError)? {
        switch stage {
        case .receiving where requestDeadline < deadline: (requestDeadline, Self.tooLate("the request did not arrive in time"))
        case .receiving, .working: deadline == .distantFuture ? nil : (deadline, Self.tooLate("the caller's deadline has passed"))
        case .over: nil
        }
    }

    private static func tooLate(_ message: String) -> RPCError { RPCError(code: .deadlineExceeded, message: message) }
}
