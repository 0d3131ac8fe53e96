import FleetEngine
import NIOCore
import NIOPosix
import Testing

@testable import FleetEngineGRPC

/// A server that sets up HTTP/2 on each connection and then ends the connection without accepting a call.
struct DrainingServer {
    enum Farewell: CaseIterable {
        /// GOAWAY with NO_ERROR, as a load balancer sends it before it shuts down.
        case goAway
        case close
    }

    let endpoint: ServerEndpoint
    /// A stream with the arrival time of each connection.
    let arrivals: AsyncStream<NIODeadline>
    private let channel: any Channel

    private final class Drain: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        typealias OutboundOut = ByteBuffer

        private static let settings: [UInt8] = [0, 0, 0, 4, 0, 0, 0, 0, 0]
        private static let goAway: [UInt8] = [0, 0, 8, 7, 0, 0, 0, 0, 0, 0x7F, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0]
        private let farewell: Farewell
        private let told: AsyncStream<NIODeadline>.Continuation

        init(_ farewell: Farewell, _ told: AsyncStream<NIODeadline>.Continuation) {
            self.farewell = farewell
            self.told = told
        }

        func channelActive(context: ChannelHandlerContext) {
            told.yield(.now())
            let bytes = Self.settings + (farewell == .goAway ? Self.goAway : [])
            context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: bytes)), promise: nil)
            if farewell == .close { context.close(mode: .output, promise: nil) }
        }
    }

    init(_ farewell: Farewell) async throws {
        let (arrivals, told) = AsyncStream.makeStream(of: NIODeadline.self)
        self.arrivals = arrivals
        channel = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture { try channel.pipeline.syncOperations.addHandler(Drain(farewell, told)) }
            }.bind(host: "127.0.0.1", port: 0).get()
        endpoint = try ServerEndpoint("127.0.0.1:\(channel.localAddress?.port ?? 0)", security: .plaintext)
    }

    func stop() async throws { try await channel.close() }
}

@Suite("The pace of connections", .timeLimit(.minutes(1)))
struct ConnectionPaceTests {
    @Test(
        "if a server ends each connection before an answer, it gets at most one connection a second, even under constant calls",
        arguments: DrainingServer.Farewell.allCases)
    func draining(farewell: DrainingServer.Farewell) async throws {
        let server = try await DrainingServer(farewell)
        let name = try TripName("providers/demo/trips/t1")
        let start = NIODeadline.now()
        try await withFleetEngineClient(
            endpoint: server.endpoint, identity: .init(role: .consumer, version: "test"), tokens: nil
        ) { client in
            let calls = Task {
                while !Task.isCancelled {
                    await #expect(throws: FleetEngineError.self) { try await client.getTrip(GetTripRequest(name: name)) }
                    await Task.yield()
                }
            }
            defer { calls.cancel() }
            // On a busy machine, one connection may be noticed late and the next one on time. Each time is therefore measured from the
            // start.
            var seconds: Int64 = 0
            for await moment in server.arrivals.prefix(3) {
                #expect(moment - start >= .seconds(seconds))
                seconds += 1
            }
            #expect(seconds == 3)
        }
        try await server.stop()
    }

    @Test("each connection without an answer makes the pause 1.6 times longer, up to 5 s; an answer resets it")
    func rests() {
        let start = NIODeadline.uptimeNanoseconds(1_000_000_000)
        var pace = ConnectionPace()
        for milliseconds: Int64 in [1_000, 1_600, 2_560, 4_096, 5_000, 5_000] {
            pace.connected(at: start)
            let tries = [milliseconds - 1, milliseconds].map { pace.tries(at: start + .milliseconds($0)) }
            #expect(tries == [false, true])
        }
        pace.connected(at: start)
        pace.answered()
        let isTriedAfterAnswer = pace.tries(at: start)
        #expect(isTriedAfterAnswer)
        pace.connected(at: start)
        let isTriedAfterRest = pace.tries(at: start + .seconds(1))
        #expect(isTriedAfterRest)
    }

    @Test("only one connection is tried at a time; after a failed one, the next may be tried at once")
    func oneAtATime() {
        let start = NIODeadline.uptimeNanoseconds(1_000_000_000)
        var pace = ConnectionPace()
        let tries = [start, start + .hours(1)].map { pace.tries(at: $0) }
        #expect(tries == [true, false])
        pace.failed()
        let isTriedAfterFailure = pace.tries(at: start)
        #expect(isTriedAfterFailure)
    }
}
