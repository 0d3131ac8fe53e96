public import FleetEngine

/// Outcome of a call to a Fleet Engine, for a log. It holds no token.
public struct CallReport: Sendable {
    /// Name of the rpc, such as `GetTrip`.
    public let rpc: String
    /// Bare id of the trip that the call is about.
    public let tripID: String?
    /// Bare id of the vehicle that the call is about.
    public let vehicleID: String?
    /// Tracking id of the shipment that the call is about.
    public let trackingID: String?
    /// Error of the call; nil if the call succeeded.
    public let failure: FleetEngineError?
    /// Seconds from the call to its answer, including the time to get a token.
    public let seconds: Double

    /// - Parameter function: name of the client's function, such as `getTrip(_:)`, from which the rpc's name is derived.
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
