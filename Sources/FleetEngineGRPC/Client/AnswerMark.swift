import FleetEngine
import GRPCCore
import NIOCore
import NIOHPACK
import NIOHTTP2

/// Marks each status that a server sent. A status without the mark was created by the transport, because no answer came.
///
/// The mark is a header that is added to the answer. The transport copies it to the metadata of the error.
final class AnswerMark: ChannelInboundHandler {
    typealias InboundIn = HTTP2Frame.FramePayload
    typealias InboundOut = HTTP2Frame.FramePayload

    /// Kind of status that the server sent.
    enum Status: Hashable, Sendable {
        case grpc
        /// An HTTP status of 300 or above, in place of a gRPC status.
        case http(Int)

        /// Reads the mark in an error's metadata. Nil if no server has answered.
        init?(_ metadata: Metadata) {
            guard let text = metadata[stringValues: AnswerMark.key].first(where: { _ in true }) else { return nil }
            self = Int(text).map(Status.http) ?? .grpc
        }
    }

    static let key = "tripwatch-answered"

    private let onAnswer: () -> Void

    /// Creates the handler.
    /// - Parameter onAnswer: called for the headers and the trailers of each answer.
    init(onAnswer: @escaping () -> Void) { self.onAnswer = onAnswer }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard case .headers(var frame) = unwrapInboundIn(data) else { return context.fireChannelRead(data) }
        onAnswer()
        frame.headers.remove(name: Self.key)
        if let mark = Self.mark(frame.headers) { frame.headers.add(name: Self.key, value: mark) }
        context.fireChannelRead(wrapInboundOut(.headers(frame)))
    }

    private static func mark(_ headers: HPACKHeaders) -> String? {
        if let number = headers.first(name: "grpc-status") { return Int(number).flatMap(StatusCode.init(rawValue:)).map { _ in "grpc" } }
        guard let status = headers.first(name: ":status").flatMap({ Int($0) }), status >= 300 else { return nil }
        return String(status)
    }
}
