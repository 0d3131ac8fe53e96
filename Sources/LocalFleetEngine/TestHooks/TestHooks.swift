import FleetEngine
import FleetEngineCore
import FleetEngineWire
import FoundationEssentials
import SwiftProtobuf
import Synchronization

/// Operations on a running engine for tests: reset it, read its whole state, make calls fail, and advance its clock.
public struct TestHooks: Sendable {
    /// The longest time by which one call can advance the clock, in seconds.
    static let longestAdvanceSeconds = 366 * 86_400.0
    /// Maximum number of calls of `state()` that may run at the same time.
    static let mostLoads = 4
    /// The last time that the clock can show: the end of the year 9999, because years have four digits.
    private static let lastMoment = Date(timeIntervalSince1970: 253_402_300_799)

    private let engine: LocalFleetEngine
    private let clock: AdjustableTimeSource
    private let loads = StateLoads()

    /// - Parameter clock: the clock of the engine.
    public init(engine: LocalFleetEngine, clock: AdjustableTimeSource) {
        self.engine = engine
        self.clock = clock
    }

    /// Resets trips, tasks, vehicles and the queue of waiting trips to the state recorded by `LocalFleetEngine.noteStart()`.
    /// Removes all faults, and sets the clock to real time.
    func reset() async throws(FleetEngineError) {
        engine.plan([])
        clock.reset()
        try await engine.restart()
    }

    /// Returns the whole state as text. Returns nil while `mostLoads` other calls of this method are running, because more copies could
    /// fill the memory.
    func state() async throws(FleetEngineError) -> [UInt8]? {
        guard loads.begin() else { return nil }
        defer { loads.end() }
        return try await engine.exportedText()
    }

    /// Replaces the rules that make calls fail or wait.
    /// - Throws: INVALID_ARGUMENT. The previous rules then remain.
    func plan(json: [UInt8]) async throws(FleetEngineError) -> [FaultRule] {
        let rules = try await DecodingThread.run(json.count) { () throws(FleetEngineError) in try FaultRule.list(json: json) }
        engine.plan(rules)
        return rules
    }

    /// Advances the clock, and runs the timers that are due by then.
    ///
    /// - Parameter json: `{"advance_s":600}`.
    /// - Returns: the engine's new time.
    /// - Throws: INVALID_ARGUMENT.
    func advance(json: [UInt8]) async throws(FleetEngineError) -> Google_Protobuf_Timestamp {
        let text = try await DecodingThread.run(json.count) { try? Google_Protobuf_Struct(jsonUTF8Bytes: json) }
        guard let body = text, body.fields.count == 1,
            case .numberValue(let seconds)? = body.fields["advance_s"]?.kind, (0...Self.longestAdvanceSeconds).contains(seconds)
        else {
            throw .invalid(
                "advance_s", "the body must be {\"advance_s\":SECONDS}, with SECONDS from 0 to \(Int(Self.longestAdvanceSeconds))")
        }
        guard clock.now().addingTimeInterval(seconds) < Self.lastMoment else {
            throw .invalid("advance_s", "the clock cannot go beyond the year 9999: use a smaller advance_s")
        }
        clock.advance(seconds)
        await engine.runDueTimers()
        return Google_Protobuf_Timestamp(moment: clock.now())
    }
}

/// The number of calls of `state()` that are running.
private final class StateLoads: Sendable {
    private let count = Mutex(0)

    /// Counts one more running call of `state()`.
    /// - Returns: false if the maximum number is already running.
    func begin() -> Bool {
        count.withLock { count in
            guard count < TestHooks.mostLoads else { return false }
            count += 1
            return true
        }
    }

    func end() { count.withLock { $0 -= 1 } }
}
