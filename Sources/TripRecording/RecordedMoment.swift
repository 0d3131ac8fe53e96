import FleetEngine
import FleetEngineAPI
import FleetEngineWire
import FoundationEssentials

/// A time in a recording, and the outcome of calls from then until the next moment.
struct RecordedMoment: Sendable {
    enum Outcome: Sendable {
        /// The whole trip, derived from the log, and its vehicle if the log has it. This case is indirect because the two values are large,
        /// and other outcomes should not take as much memory.
        indirect case trip(Trip, vehicle: Vehicle?)
        /// The recorded answer. Fields that it leaves out have not changed.
        case answer(RecordedMessage<WireTrip>)
        case failure(RecordedFailure)
    }

    let time: LogInstant
    let date: Date
    let outcome: Outcome

    var vehicle: Vehicle? { if case .trip(_, let vehicle) = outcome { vehicle } else { nil } }

    var status: TripStatus? {
        switch outcome {
        case .trip(let trip, _): trip.status
        case .answer(let answer): answer.decoded.map { TripStatus($0.tripStatus) }
        case .failure: nil
        }
    }
}

/// A vehicle's state from a recorded time on.
struct RecordedVehicle: Sendable {
    let date: Date
    let name: VehicleName
    let message: RecordedMessage<WireVehicle>
}
