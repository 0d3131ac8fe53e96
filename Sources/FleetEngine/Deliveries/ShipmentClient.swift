/// The calls that a token for a shipment may make.
public protocol ShipmentClient: Sendable {
    /// The shipment as the server shows it now, in the language and for the region of `header`; nil takes the client's own.
    ///
    /// A server that knows no such shipment throws NOT_FOUND, or gives one whose state is `unknown`.
    /// - Throws: `FleetEngineError`, such as NOT_FOUND.
    func getTaskTrackingInfo(_ name: TaskTrackingName, header: TripRequestHeader?) async throws(FleetEngineError) -> TaskTrackingInfo
    /// Forgets the access token for this shipment, so that the next call fetches another one.
    /// - Returns: whether the token source can give another one.
    func renewToken(for name: TaskTrackingName) async -> Bool
    /// Forgets everything about the access token for this shipment, once its last follower has gone.
    func releaseToken(for name: TaskTrackingName) async
    /// Yields an element for each usable connection to the server from now on: calls that failed without one may be tried again.
    func connectionsMade() -> AsyncStream<Void>
}

extension ShipmentClient {
    /// Nothing, for clients without tokens.
    public func releaseToken(for name: TaskTrackingName) async {}
}
