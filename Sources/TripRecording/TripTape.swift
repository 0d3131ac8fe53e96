package import FleetEngine
package import FleetEngineAPI
package import FoundationEssentials
import Synchronization

/// Records one trip as lines of text. An answer about the trip is kept until the reader of the answers has processed it, and is then
/// written. An answer about the vehicle does not wait for the reader. Both get the time of the reader's clock.
///
/// The times of the lines never decrease, even if the clock is set back.
package final class TripTape: Sendable {
    package let trip: TripName
    private let scene: RecordedScene
    private let clock: @Sendable () -> Date
    private let write: @Sendable (String) -> Void
    /// The state of the recording. Lines are composed and written under its lock, so that they keep their order if two threads write.
    private let state: Mutex<State>

    private struct State {
        /// The header and the lines that come before the first answer. Nil after the first answer, and if lines are written without waiting
        /// for an answer.
        var held: [String]?
        var answer: WireTrip?
        var vehicleID = ""
        var hasBegun = false
        var last = Date.distantPast

        mutating func rising(_ time: Date) -> Date {
            last = max(last, time)
            return last
        }
    }

    /// The largest number of lines to keep before the first answer.
    private static let longestHeld = 100

    /// - Parameters:
    ///   - scene: the rider's own data for the header.
    ///   - waitsForAnswer: whether nothing is written before the first answer.
    ///   - clock: the clock of the reader.
    ///   - write: called with one line at a time, without a line break, and never by two threads at once.
    package init(
        trip: TripName, scene: RecordedScene = RecordedScene(), waitsForAnswer: Bool = false,
        clock: @escaping @Sendable () -> Date, write: @escaping @Sendable (String) -> Void
    ) {
        self.trip = trip
        self.scene = scene
        self.clock = clock
        self.write = write
        state = Mutex(State(held: waitsForAnswer ? [] : nil))
    }

    private func put(_ line: String, _ state: inout State) {
        guard var held = state.held else { return write(line) }
        held.append(line)
        // Drops the oldest line, but keeps the header.
        if held.count > Self.longestHeld { held.remove(at: 1) }
        state.held = held
    }

    /// Writes the header, once.
    /// - Parameter pollIntervalSeconds: time between two polls.
    package func begin(pollIntervalSeconds: Double) {
        let now = clock()
        state.withLock { state in
            guard !state.hasBegun else { return }
            state.hasBegun = true
            let time = state.rising(now)
            put(TripLine.header(trip: trip, at: time, pollIntervalSeconds: pollIntervalSeconds, scene: scene), &state)
        }
    }

    /// Keeps an answer until its reader has processed it.
    func hold(_ answer: WireTrip) {
        state.withLock {
            $0.answer = answer
            $0.vehicleID = answer.vehicleID
        }
    }

    /// Writes the answer that was kept, because its reader has now processed it.
    package func writeAnswer(at time: Date) {
        state.withLock { state in
            let time = state.rising(time)
            guard let answer = state.answer, let line = TripLine.answer(answer, of: trip, at: time) else { return }
            state.answer = nil
            for line in state.held ?? [] { write(line) }
            state.held = nil
            put(line, &state)
        }
    }

    /// Records a failed call.
    package func note(_ error: FleetEngineError, retryInSeconds: Double, at time: Date) {
        state.withLock { state in
            state.answer = nil
            put(TripLine.failure(error, retryInSeconds: retryInSeconds, at: state.rising(time)), &state)
        }
    }

    func note(_ vehicle: WireVehicle, of name: VehicleName) {
        let now = clock()
        state.withLock { state in
            guard state.vehicleID == name.vehicle, state.hasBegun, let line = TripLine.vehicle(vehicle, at: state.rising(now)) else {
                return
            }
            put(line, &state)
        }
    }
}

/// The recordings of all trips. Each answer is recorded with its own trip.
package final class TripTapes: Sendable {
    private let tapes = Mutex<[TripName: TripTape]>([:])

    package init() {}

    package func add(_ tape: TripTape) { tapes.withLock { $0[tape.trip] = tape } }

    package func tape(of name: TripName) -> TripTape? { tapes.withLock { $0[name] } }

    /// The names of the recorded trips.
    package var names: Set<TripName> { tapes.withLock { Set($0.keys) } }

    package func hear(_ answer: WireTrip, of name: TripName) { tape(of: name)?.hold(answer) }

    package func hear(_ answer: WireVehicle, of name: VehicleName) {
        for tape in tapes.withLock({ Array($0.values) }) { tape.note(answer, of: name) }
    }
}
