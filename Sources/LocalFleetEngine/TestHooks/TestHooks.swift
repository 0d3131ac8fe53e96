import FleetEngine
import FleetEngineCore
import FleetEngineWire
import FoundationEssentials
import SwiftProtobuf
import Synchronization

/// What tests may do to a running engine: put everything back to the start, look at all of it, make calls fail, put its clock forward.
public struct TestHooks: Sendable {
    /// The most by which the clock is put forward at once, seconds.
    static let longestAdvanceSeconds = 366 * 86_400.0
    /// Loads of the state that go on at the same time.
    static let mostLoads = 4
    /// The clock shows years of four digits.
    private static let lastMoment = Date(timeIntervalSince1970: 253_402_300_799)

    private let engine: LocalFleetEngine
    private let clock: AdjustableTimeSource
    private let loads = StateLoads()

    /// - Parameter clock: the engine's own.
    public init(engine: LocalFleetEngine, clock: AdjustableTimeSource) {
        self.engine = engine
        self.clock = clock
    }

    /// Trips, vehicles and queue as they were when `LocalFleetEngine.noteStart()` was called; no faults, and real time.
    func reset() async throws(FleetEngineError) {
        engine.plan([])
        clock.reset()
        try await engine.restart()
    }

    /// The whole state as text. Nil while `mostLoads` others load it: more copies would fill the memory.
    func state() async throws(FleetEngineError) -> [UInt8]? {
        guard loads.begin() else { return nil }
        defer { loads.end() }
        return try await engine.exportedText()
    }

    /// - Throws: INVALID_ARGUMENT; then the faults from before stay.
    func plan(json: [UInt8]) throws(FleetEngineError) -> [FaultRule] {
        let rules = try FaultRule.list(json: json)
        engine.plan(rules)
        return rules
    }

    /// Puts the clock forward, and does what is due by then.
    ///
    /// - Parameter json: `{"advance_s":600}`.
    /// - Returns: the engine's time from now on.
    /// - Throws: INVALID_ARGUMENT.
    func advance(json: [UInt8]) async throws(FleetEngineError) -> Google_Protobuf_Timestamp {
        guard let body = try? Google_Protobuf_Struct(jsonUTF8Bytes: json), body.fields.count == 1,
            case .numberValue(let seconds)? = body.fields["advance_s"]?.kind, (0...Self.longestAdvanceSeconds).contains(seconds)
        else {
            throw .invalid("advance_s", "the body is {\"advance_s\":SECONDS}, from 0 to \(Int(Self.longestAdvanceSeconds)) of them")
        }
        guard clock.now().addingTimeInterval(seconds) < Self.lastMoment else {
            throw .invalid("advance_s", "the clock ends with the year 9999")
        }
        clock.advance(seconds)
        await engine.runDueTimers()
        return Google_Protobuf_Timestamp(moment: clock.now())
    }
}

/// How many loads of the state are under way.
private final class StateLoads: Sendable {
    private let count = Mutex(0)

    /// - Returns: false where no further one may begin.
    func begin() -> Bool {
        count.withLock { count in
            guard count < TestHooks.mostLoads else { return false }
            count += 1
            return true
        }
    }

    func end() { count.withLock { $0 -= 1 } }
}
