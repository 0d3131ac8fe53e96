/// The calls that a token for a shipment may make.
public protocol ShipmentClient: Sendable {
    /// The shipment as the server shows it now, in the language and for the region of `header`; nil takes the client's own.
    ///
    /// A server without such a shipment throws NOT_FOUND, or returns one with the state `unknown`.
    /// - Throws: `FleetEngineError`, such as NOT_FOUND.
    func getTaskTrackingInfo(_ name: TaskTrackingName, header: TripRequestHeader?) async throws(FleetEngineError) -> TaskTrackingInfo
    /// Forgets the access token for this shipment, so that the next call fetches another one.
    /// - Returns: whether the token source can give another one.
    func renewToken(for name: TaskTrackingName) async -> Bool
    /// Forgets everything about the access token for this shipment. It is called once the last follower has gone.
    func releaseToken(for name: TaskTrackingName) async
    /// Yields an element for each new usable connection to the server: calls that failed without one may be tried again.
    func connectionsMade() -> AsyncStream<Void>
}

extension ShipmentClient {
    /// Does nothing, for clients without tokens.
    public func releaseToken(for name: TaskTrackingName) async {}
}
