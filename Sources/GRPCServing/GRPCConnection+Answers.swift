import GRPCCore
import NIOCore
import NIOHPACK
import NIOHTTP2

/// The parts of a connection that write answers and count the bytes that the client has not read.
extension GRPCConnection {
    /// Size of the parts in which a large answer is sent, in bytes. Each part that has been sent shows that the client is reading.
    private static let partBytes = 1 << 16
    /// Status codes of calls that were refused.
    private static let refusals: Set<RPCError.Code> = [.unauthenticated, .permissionDenied, .unimplemented, .resourceExhausted]

    func answer(_ stream: HTTP2StreamID, _ message: ByteBuffer) {
        guard let call = calls[stream], case .working = call.stage else { return }
        guard mayTell(message.readableBytes, call) else { return }
        call.isUse = true
        stop(call)
        write(stream, .headers(.init(headers: message.isGRPCCompressed ? GRPCEnd.gzipHead : GRPCEnd.head)))
        send(message, to: stream)
        write(stream, .headers(.init(headers: GRPCEnd.ok, endStream: true)))
        flush()
    }

    func tell(_ stream: HTTP2StreamID, _ message: ByteBuffer) {
        guard let call = calls[stream], case .working = call.stage, mayTell(message.readableBytes, call) else { return }
        beginAnswer(call)
        send(message, to: stream)
        flush()
    }

    func finish(_ stream: HTTP2StreamID) {
        guard let call = calls[stream], case .working = call.stage else { return }
        beginAnswer(call)
        end(call, with: GRPCEnd.ok)
    }

    private func beginAnswer(_ call: GRPCCall) {
        if !call.isBeingAnswered { write(call.stream, .headers(.init(headers: GRPCEnd.head))) }
        call.isBeingAnswered = true
        call.isUse = true
    }

    func fail(_ stream: HTTP2StreamID, _ error: any Error) {
        guard let call = calls[stream], case .working = call.stage else { return }
        fail(call, error)
    }

    func fail(_ call: GRPCCall, _ error: any Error) {
        let failure = service.failure(error)
        if case .working = call.stage { call.isUse = call.isUse || !Self.refusals.contains(failure.code) }
        end(call, with: GRPCEnd.headers(failure, isAlone: !call.isBeingAnswered, date: service.date))
    }

    func end(_ call: GRPCCall, with headers: HPACKHeaders) {
        stop(call)
        write(call.stream, .headers(.init(headers: headers, endStream: true)))
        // The client need not send the rest of its message.
        if !call.isReceived { write(call.stream, .rstStream(.noError)) }
        flush()
    }

    // MARK: Unread answers

    /// The time at which the connection is closed unless the client reads more; nil if the client has read all answers.
    var readLimit: NIODeadline? { unreadBytes > 0 ? lastRead + limits.unreadTime : nil }

    /// Returns whether an answer may be sent, and reserves its bytes from the connection's share of the memory. If the limit on unread
    /// answers or the memory does not allow the answer, the call fails.
    private func mayTell(_ bytes: Int, _ call: GRPCCall) -> Bool {
        // If no other answer is unread, this limit does not apply. A client can thus fetch large pages one after another.
        guard unreadBytes == 0 || unreadBytes + bytes <= limits.unreadBytes else {
            let message =
                "with this answer, the connection would have more than \(limits.unreadBytes) bytes of unread answers: "
                + "read the earlier ones, and try again"
            fail(call, RPCError(code: .resourceExhausted, message: message))
            return false
        }
        guard share.reserve(bytes) else {
            fail(call, Self.tooManyBytes)
            return false
        }
        return true
    }

    private func send(_ message: ByteBuffer, to stream: HTTP2StreamID) {
        guard let context else { return share.giveBack(message.readableBytes) }
        if unreadBytes == 0 {
            lastRead = .now()
            setTimer(at: lastRead + limits.unreadTime)
        }
        var rest = message
        while let part = rest.readSlice(length: min(rest.readableBytes, Self.partBytes)), part.readableBytes > 0 {
            let bytes = part.readableBytes
            unreadBytes += bytes
            let sent = context.eventLoop.makePromise(of: Void.self)
            sent.futureResult.assumeIsolated().whenComplete { _ in self.noteSent(bytes) }
            write(stream, .data(.init(data: .byteBuffer(part))), promise: sent)
        }
    }

    /// Records that a part of an answer was sent, or dropped because its call is over.
    private func noteSent(_ bytes: Int) {
        unreadBytes -= bytes
        share.giveBack(bytes)
        lastRead = .now()
    }
}
