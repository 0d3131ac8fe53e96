import GRPCCore
import NIOCore
import NIOHTTP2

/// A call on its way: from its header until its stream is closed.
final class GRPCCall {
    enum Stage {
        /// Its message has not come to its end.
        case receiving(GRPCRequest)
        /// It is worked on.
        case working(Task<Void, Never>)
        /// Its last header is sent, or it is gone.
        case over
    }

    let stream: HTTP2StreamID
    /// Nil for what is no call of gRPC.
    let head: GRPCCallHead?
    /// Nil where there is none of that name.
    let method: GRPCMethod?
    var stage: Stage
    /// Whether nothing more of it comes.
    var isReceived = false
    /// The size of its message after decompression, which counts for the connection until the stream is closed; 0 for a message that is not
    /// compressed.
    var unpackedBytes = 0
    /// Whether the first header of its answer is sent.
    var isBeingAnswered = false
    /// When its message must have come.
    private let requestDeadline: NIODeadline
    /// Until when its caller waits.
    private let deadline: NIODeadline

    init(stream: HTTP2StreamID, head: GRPCCallHead, method: GRPCMethod?, limits: GRPCLimits, now: NIODeadline) {
        self.stream = stream
        self.head = head
        self.method = method
        stage = .receiving(GRPCRequest(limit: limits.messageBytes, encoding: head.encoding ?? .identity))
        requestDeadline = now + limits.requestTime
        deadline = head.timeout.map { now + $0 } ?? .distantFuture
    }

    /// What is no call of gRPC.
    init(refused stream: HTTP2StreamID) {
        self.stream = stream
        head = nil
        method = nil
        stage = .over
        requestDeadline = .distantFuture
        deadline = .distantFuture
    }

    /// When it is given up if nothing happens before, and why; nil for never.
    var limit: (moment: NIODeadline, reason: RPCError)? {
        switch stage {
        case .receiving where requestDeadline < deadline: (requestDeadline, Self.tooLate("the request has not come in time"))
        case .receiving, .working: deadline == .distantFuture ? nil : (deadline, Self.tooLate("the time that the caller gave is over"))
        case .over: nil
        }
    }

    private static func tooLate(_ message: String) -> RPCError { RPCError(code: .deadlineExceeded, message: message) }
}
