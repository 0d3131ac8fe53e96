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
    /// What its message takes of the connection's share, also after decompression, until the call is over.
    var heldBytes = 0
    /// Judges its header before its message comes; nil where that is done with the message.
    var admission: Task<Void, any Error>?
    /// Whether the first header of its answer is sent.
    var isBeingAnswered = false
    /// Whether something was done for its caller.
    var isUse = false
    /// When its message must have come.
    private let requestDeadline: NIODeadline
    /// Until when its caller waits.
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

    /// What is no call of gRPC.
    init(refused stream: HTTP2StreamID) {
        self.stream = stream
        head = nil
        method = nil
        stage = .over
        requestDeadline = .distantFuture
        deadline = .distantFuture
    }

    /// Whether it is told one message after another.
    var isWatch: Bool { method?.isStreaming == true }

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
