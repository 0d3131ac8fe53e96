import FleetEngine
import FleetEngineCore
import FoundationEssentials
import LocalFleetEngine
import ProgramSurroundings
import TripWatchWords

/// Prints news about a server on a terminal, one line each: a phone connects, a trip is booked, a trip ends.
struct ServedNews: Sendable {
    private let engine: LocalFleetEngine
    private let streams: StandardStreams
    private var trips: Set<TripName> = []
    /// Trips whose end has already been printed.
    private var ended: Set<TripName> = []
    /// Time of each phone's last report.
    private var heard: [VehicleName: Date] = [:]

    /// Minimum silence of a phone, in seconds, after which its next report is printed as a new connection.
    private static let silenceSeconds = 300.0

    /// Creates the printer. Returns nil with `--quiet`, or if standard error is not a terminal.
    init?(_ engine: LocalFleetEngine, _ streams: StandardStreams) {
        guard streams.isErrorTerminal, !streams.isQuiet else { return nil }
        self.engine = engine
        self.streams = streams
    }

    /// Runs until the task is cancelled.
    func run() async {
        var news = self
        let (changes, input) = AsyncStream.makeStream(of: [Change].self)
        let (state, observer) = await engine.observe { input.yield($0) }
        news.trips = state.tripNames
        for await some in changes {
            let now = engine.clock.now()
            let time = Timestamps.clock(now, secondsFromGMT: LocalZone.secondsFromGMT(now), withSeconds: true)
            for line in some.compactMap({ news.line(on: $0) }) { streams.say("\(time)  \(line)") }
        }
        await engine.removeObserver(observer)
    }

    /// Returns the line for a change; nil if the change needs no line.
    private mutating func line(on change: Change) -> String? {
        switch change {
        case .tripPut(let record):
            let name = printable(record.name.trip)
            if trips.insert(record.name).inserted, !record.status.isFinal { return "trip \(name) is booked" }
            guard record.status.isFinal, ended.insert(record.name).inserted else { return nil }
            return "trip \(name) \(record.status == .complete ? "is complete" : "is cancelled")"
        case .tripRemoved(let name):
            trips.remove(name)
            ended.remove(name)
            return nil
        case .vehiclePut(let record):
            guard let time = record.phoneHeardAt else { return nil }
            let last = heard.updateValue(time, forKey: record.name)
            guard last.map({ time.timeIntervalSince($0) > Self.silenceSeconds }) ?? true else { return nil }
            return "the phone of \(printable(record.name.vehicle)) is connected"
        case .vehicleRemoved(let name):
            heard[name] = nil
            return nil
        case .bookingQueued, .bookingTaken, .delivery: return nil
        }
    }
}
