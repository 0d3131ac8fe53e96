import FleetEngine
import FleetEngineAPI
import FoundationEssentials
import SwiftProtobuf

extension RecordedTrip {
    /// Calls `use` for each recorded call, in chronological order. A call in a log is used if it changed or returned the trip, or the
    /// trip's vehicle while the vehicle had the trip. Calls of all programs count. A value that an entry of a log leaves out has not
    /// changed.
    package func eachCall(_ use: (RecordedCall) -> Void) {
        switch recorded {
        case .received(let moments): eachReceived(moments, use)
        case .logged(let logged):
            var calls = LoggedCalls(of: name)
            for entry in logged.entries {
                if let call = calls.call(entry) { use(call) }
            }
        }
    }

    private enum Line {
        case trip(RecordedMoment.Outcome)
        case vehicle(RecordedVehicle)
    }

    private func eachReceived(_ moments: [RecordedMoment], _ use: (RecordedCall) -> Void) {
        var lines = moments.map { (date: $0.date, line: Line.trip($0.outcome)) }
        lines += vehicles.map { (date: $0.date, line: Line.vehicle($0)) }
        var trip = AnswerComparison()
        var car = AnswerComparison()
        var carName: VehicleName?
        for (date, line) in lines.sorted(by: { $0.date < $1.date }) {
            switch line {
            case .trip(.trip): continue
            case .trip(.failure(let failure)): use(RecordedCall(failure, of: "GetTrip", at: date))
            case .trip(.answer(let message)):
                guard let answer = RecordedValue(message.json) else { continue }
                let outcome = trip.outcome(of: answer) { $0.withUnchangedParts(of: $1) }
                use(RecordedCall(date: date, method: "GetTrip", outcome: outcome, status: answer["tripStatus"]?.string))
            case .vehicle(let vehicle):
                guard let answer = RecordedValue(vehicle.message.json) else { continue }
                if vehicle.name != carName { car = AnswerComparison() }
                carName = vehicle.name
                use(RecordedCall(date: date, method: "GetVehicle", outcome: car.outcome(of: answer)))
            }
        }
    }
}

/// Finds the calls in a log that concern one trip or its vehicle.
private struct LoggedCalls {
    private let name: TripName
    private var trip = AnswerComparison()
    private var car = AnswerComparison()
    private var carName: VehicleName?
    /// The id of the trip's vehicle, empty while the trip has none. Nil until an entry about the trip reports it.
    private var vehicleID: String?
    private var isOver = false

    init(of name: TripName) { self.name = name }

    /// Returns the call of an entry about the trip, or about the trip's vehicle while the trip is assigned to it and has not ended; nil for
    /// any other entry.
    mutating func call(_ entry: LogEntry) -> RecordedCall? {
        switch entry.content {
        case .trip(let name, let report) where name == self.name:
            if report.saysVehicle { vehicleID = report.wire.vehicleID }
            guard let answer = Self.value(report.wire) else { return nil }
            // Empty values are left out of the answer's JSON.
            var said = report.saidFields.map(\.rawValue)
            if report.saysVehicle { said.append("vehicleId") }
            if report.saysStops { said.append("remainingWaypoints") }
            let outcome = trip.outcome(of: answer) { $0.completed(by: $1, without: said) }
            let status = trip.last?["tripStatus"]?.string
            isOver = status.flatMap { TripStatus(rawValue: $0) }?.isFinal ?? false
            return RecordedCall(date: entry.time.date, method: entry.call.method, outcome: outcome, status: status)
        case .vehicle(let name, let report) where isOfTrip(name, report):
            guard let answer = Self.value(report.wire) else { return nil }
            if name != carName { car = AnswerComparison() }
            carName = name
            var said = report.saidFields.map(\.rawValue)
            if report.currentTrips != nil { said.append("currentTrips") }
            if report.saysStops { said.append("waypoints") }
            if report.saysRoute { said.append("currentRouteSegment") }
            let outcome = car.outcome(of: answer) { $0.completed(by: $1, without: said) }
            return RecordedCall(date: entry.time.date, method: entry.call.method, outcome: outcome)
        default: return nil
        }
    }

    private func isOfTrip(_ vehicle: VehicleName, _ report: VehicleReport) -> Bool {
        guard !isOver, vehicle.provider == name.provider else { return false }
        return vehicleID.map { $0 == vehicle.vehicle } ?? (report.currentTrips?.contains(name.trip) == true)
    }

    private static func value(_ message: some SwiftProtobuf.Message) -> RecordedValue? {
        (try? message.jsonString()).flatMap { RecordedValue(Array($0.utf8)[...]) }
    }
}
