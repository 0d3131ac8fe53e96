package import FleetEngine
package import FleetEngineAPI
package import FoundationEssentials
import Synchronization

/// Makes lines of what is heard of one trip: the answer as it came, once its reader has taken it in, with the time that it has there.
///
/// Times never fall, whatever is done to the clock.
package final class TripTape: Sendable {
    package let trip: TripName
    private let clock: @Sendable () -> Date
    private let write: @Sendable (String) -> Void
    private let state = Mutex(State())

    private struct State {
        var answer: WireTrip?
        var vehicleID = ""
        var hasBegun = false
        var last = Date.distantPast

        mutating func rising(_ time: Date) -> Date {
            last = max(last, time)
            return last
        }
    }

    /// - Parameters:
    ///   - clock: the reader's.
    ///   - write: given a line after the other, without line breaks.
    package init(trip: TripName, clock: @escaping @Sendable () -> Date, write: @escaping @Sendable (String) -> Void) {
        (self.trip, self.clock, self.write) = (trip, clock, write)
    }

    /// Writes the header, once.
    /// - Parameter pollIntervalSeconds: between two polls.
    package func begin(pollIntervalSeconds: Double) {
        let now = clock()
        let time: Date? = state.withLock {
            guard !$0.hasBegun else { return nil }
            $0.hasBegun = true
            return $0.rising(now)
        }
        if let time { write(TripLine.header(trip: trip, at: time, pollIntervalSeconds: pollIntervalSeconds)) }
    }

    /// Keeps an answer until its reader has taken it in.
    func hold(_ answer: WireTrip) {
        state.withLock {
            $0.answer = answer
            $0.vehicleID = answer.vehicleID
        }
    }

    /// The reader has taken the answer in.
    package func takeIn(at time: Date) {
        let (answer, time) = state.withLock { state in
            defer { state.answer = nil }
            return (state.answer, state.rising(time))
        }
        if let answer, let line = TripLine.answer(answer, of: trip, at: time) { write(line) }
    }

    /// A call has failed, as its reader tells it.
    package func note(_ error: FleetEngineError, retryInSeconds: Double, at time: Date) {
        let time = state.withLock { state in
            state.answer = nil
            return state.rising(time)
        }
        write(TripLine.failure(error, retryInSeconds: retryInSeconds, at: time))
    }

    func note(_ vehicle: WireVehicle, of name: VehicleName) {
        let now = clock()
        let time = state.withLock { $0.vehicleID == name.vehicle && $0.hasBegun ? $0.rising(now) : nil }
        if let time, let line = TripLine.vehicle(vehicle, at: time) { write(line) }
    }
}

/// The tapes of all trips that are recorded; what a client hears goes to where it belongs.
package final class TripTapes: Sendable {
    private let tapes = Mutex<[TripName: TripTape]>([:])

    package init() {}

    package func add(_ tape: TripTape) { tapes.withLock { $0[tape.trip] = tape } }

    package func tape(of name: TripName) -> TripTape? { tapes.withLock { $0[name] } }

    /// Nothing is recorded.
    package var isEmpty: Bool { tapes.withLock { $0.isEmpty } }

    package func hear(_ answer: WireTrip, of name: TripName) { tape(of: name)?.hold(answer) }

    package func hear(_ answer: WireVehicle, of name: VehicleName) {
        for tape in tapes.withLock({ Array($0.values) }) { tape.note(answer, of: name) }
    }
}
