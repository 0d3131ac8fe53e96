import GRPCServing
import NIOCore

extension ServerLimits {
    /// The part that the gRPC server holds connections to.
    var grpc: GRPCLimits {
        GRPCLimits(
            headerBytes: headerBytes, messageBytes: messageBytes, waitingBytes: waitingBytes, ownBytes: ownBytes,
            unreadBytes: unreadBytes, unreadTime: TimeAmount(seconds: unreadSeconds), callsPerConnection: callsPerConnection,
            watchesPerConnection: watchesPerConnection, requestTime: TimeAmount(seconds: requestSeconds),
            handshakeTime: TimeAmount(seconds: handshakeSeconds),
            firstCallTime: TimeAmount(seconds: firstCallSeconds), idleTime: TimeAmount(seconds: idleSeconds),
            goodbyeTime: TimeAmount(seconds: goodbyeSeconds), drainTime: TimeAmount(seconds: drainSeconds))
    }
}

extension TimeAmount {
    init(seconds: Double) { self = .nanoseconds(Int64((min(max(seconds, 0), 1e9) * 1e9).rounded())) }
}
