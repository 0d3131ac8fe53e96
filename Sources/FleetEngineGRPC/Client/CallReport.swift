public import FleetEngine

/// Outcome of a call to a Fleet Engine, for a log. It holds no token.
public struct CallReport: Sendable {
    /// The rpc: `GetTrip`.
    public let rpc: String
    /// Bare id of the trip that the call is about.
    public let tripID: String?
    /// Bare id of the vehicle that the call is about.
    public let vehicleID: String?
    /// Tracking id of the shipment that the call is about.
    public let trackingID: String?
    /// Nil when the call was answered.
    public let failure: FleetEngineError?
    /// Seconds from the call to its answer, including the time to get a token.
    public let seconds: Double

    /// - Parameter function: the client's function, `getTrip(_:)`, from which the rpc's name is made.
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
