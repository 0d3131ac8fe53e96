import GRPCServing
import HTTPServing
import NIOCore

extension ServerLimits {
    /// Limits of gRPC connections.
    var grpc: GRPCLimits {
        GRPCLimits(
            headerBytes: port.headerBytes, messageBytes: messageBytes, waitingBytes: waitingBytes, ownBytes: ownBytes,
            unreadBytes: unreadBytes, unreadTime: TimeAmount(seconds: unreadSeconds), callsPerConnection: callsPerConnection,
            watchesPerConnection: watchesPerConnection, requestTime: TimeAmount(seconds: requestSeconds),
            handshakeTime: TimeAmount(seconds: handshakeSeconds),
            firstCallTime: TimeAmount(seconds: firstCallSeconds), idleTime: TimeAmount(seconds: idleSeconds),
            goodbyeTime: TimeAmount(seconds: goodbyeSeconds), drainTime: TimeAmount(seconds: drainSeconds))
    }
}
