public import FleetEngine

/// Outcome of a call to an engine, for a log. It holds no token.
public struct CallReport: Sendable {
    /// Name of the RPC, such as `GetTrip`.
    public let rpc: String
    /// Bare id of the trip that the call is about; nil for other calls.
    public let tripID: String?
    /// Bare id of the vehicle that the call is about; `*` for lists of vehicles and for tasks; nil for other calls.
    public let vehicleID: String?
    /// Tracking id of the shipment that the call reads; nil for other calls.
    public let trackingID: String?
    /// The error of the call; nil if the call succeeded.
    public let failure: FleetEngineError?
    /// Seconds from the call to its answer, including the time to get a token.
    public let seconds: Double

    /// Creates a report.
    /// - Parameter function: name of the client's function, such as `getTrip(_:)`. The RPC's name is derived from it.
    init(function: String, about context: AuthorizationContext, failure: FleetEngineError?, seconds: Double) {
        let name = function.prefix { $0 != "(" }
        rpc = name.prefix(1).uppercased() + name.dropFirst()
        tripID = context.tripID
        vehicleID = context.vehicleID
        trackingID = context.trackingID
        self.failure = failure
        self.seconds = seconds
    }
}
