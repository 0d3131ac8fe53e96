public import FleetEngine

/// How a call to a Fleet Engine went, for a log. No token is in it.
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
    /// From the call to its answer, getting a token included.
    public let seconds: Double

    /// - Parameter function: the client's, `getTrip(_:)`, which is named as its rpc.
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
