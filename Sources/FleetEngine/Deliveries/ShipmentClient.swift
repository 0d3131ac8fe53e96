/// The calls that a token for a shipment may make.
public protocol ShipmentClient: Sendable {
    /// Returns the shipment as the server shows it now. The server uses the language and region of `header`; nil means the client's own
    /// language and region.
    ///
    /// If the server does not know the shipment, the call throws NOT_FOUND or returns a shipment with the state `unknown`.
    /// - Throws: `FleetEngineError`, such as NOT_FOUND.
    func getTaskTrackingInfo(_ name: TaskTrackingName, header: TripRequestHeader?) async throws(FleetEngineError) -> TaskTrackingInfo
    /// Forgets the access token for this shipment, so that the next call fetches another token.
    /// - Returns: whether the token source can give another token.
    func renewToken(for name: TaskTrackingName) async -> Bool
    /// Forgets everything about the access token for this shipment. Called after the last follower of the shipment has gone.
    func releaseToken(for name: TaskTrackingName) async
    /// Yields an element for each new usable connection to the server. Calls that failed for lack of a connection can then be tried again.
    func connectionsMade() -> AsyncStream<Void>
}

extension ShipmentClient {
    /// Does nothing, for clients without tokens.
    public func releaseToken(for name: TaskTrackingName) async {}
}
