import FleetEngine
import FleetEngineAPI
import FleetEngineWire
import FoundationEssentials

/// A moment of a recording, with what a call brings from then on.
struct RecordedMoment: Sendable {
    enum Outcome: Sendable {
        /// The whole trip, derived from what others told the server.
        case trip(Trip)
        /// The answer that came then; what it leaves out has not changed.
        case answer(WireTrip)
        /// The call failed, and the next one came so much later, where that is known.
        case failure(FleetEngineError, retryInSeconds: Double?)
    }

    let time: LogInstant
    let date: Date
    let outcome: Outcome
    var vehicle: Vehicle?

    var status: TripStatus? {
        switch outcome {
        case .trip(let trip): trip.status
        case .answer(let wire): TripStatus(wire.tripStatus)
        case .failure: nil
        }
    }
}

/// What a vehicle was told to be.
struct RecordedVehicle: Sendable {
    let date: Date
    let vehicle: Vehicle
}
