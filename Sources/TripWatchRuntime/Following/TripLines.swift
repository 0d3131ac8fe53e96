import FleetEngine
import FoundationEssentials
import JourneySharing
import ProgramSurroundings
import TripWatchWords

/// Follows trips and prints changes, until each trip has ended or an error requires action. All trips share one clock.
@MainActor
final class TripLines {
    private let time: any TimeSource
    private let settings: TripLinePrinter.Settings
    private let printers: [TripLinePrinter]
    private let streams: StandardStreams
    private let repeater: StateRepeater?
    private var openCount: Int
    private var code = ExitCodes.success
    private var end: CheckedContinuation<Void, Never>?

    /// - Parameter repeater: repeats the state of the trips when the user presses Enter; nil if the lines are not sentences.
    init(
        models: [TripModel], time: any TimeSource, settings: TripLinePrinter.Settings, streams: StandardStreams, keeper: TripKeeper? = nil,
        hooks: HookFeed? = nil, client: (any ConsumerClient)? = nil, repeater: StateRepeater?
    ) {
        self.repeater = repeater
        self.time = time
        self.settings = settings
        self.streams = streams
        let findVehicle = models.count <= Self.mostVehicles ? client.map(Self.finder) : nil
        printers = models.map {
            TripLinePrinter(model: $0, settings: settings, streams: streams, keeper: keeper, hooks: hooks, findVehicle: findVehicle)
        }
        openCount = printers.count
    }

    /// The maximum number of trips for which details of vehicles are read. With more trips, cars are named by their ids, to save calls.
    private static let mostVehicles = 50
    /// The maximum time that a line waits for the car's details, in seconds.
    private static let longestWait = 2.0

    private static func finder(_ client: any ConsumerClient) -> TripLinePrinter.VehicleFinder {
        { name in await within(longestWait) { try? await client.getVehicle(name) } ?? nil }
    }

    /// Follows the trips until all have ended.
    /// - Returns: the exit code; for several trips, the most severe one.
    func run() async -> Int32 {
        let ticker = settings.isDerived ? nil : Task { await repeating(every: 1) { $0.tick(now: $1) } }
        repeater?.add { [weak self] in self?.sayPresentState() }
        let frames = settings.framesPerSecond.map { rate in Task { await repeating(every: 1 / rate) { $0.drawFrame(now: $1) } } }
        defer {
            ticker?.cancel()
            frames?.cancel()
        }
        for printer in printers { printer.start { [weak self] in self?.ended($0) } }
        if openCount > 0 { await withCheckedContinuation { end = $0 } }
        return code
    }

    private func sayPresentState() {
        let now = time.now()
        for printer in printers where !printer.hasEnded { printer.sayPresentState(now: now) }
    }

    private func ended(_ code: Int32) {
        self.code = Self.worse(self.code, code)
        openCount -= 1
        guard openCount == 0 else { return }
        end?.resume()
        end = nil
    }

    /// Returns the more severe of two exit codes. An error is worse than a cancelled trip, and a cancelled trip is worse than a complete
    /// one.
    nonisolated static func worse(_ a: Int32, _ b: Int32) -> Int32 {
        let order = [ExitCodes.notAllowed, ExitCodes.noSuchTrip, ExitCodes.failed, ExitCodes.tripCanceled, ExitCodes.success]
        return order.first { $0 == a || $0 == b } ?? max(a, b)
    }

    private func repeating(every seconds: Double, _ work: (TripLinePrinter, Date) -> Void) async {
        while !Task.isCancelled {
            guard (try? await time.sleep(seconds: seconds)) != nil else { return }
            streams.endWithoutReader()
            let now = time.now()
            for printer in printers where !printer.hasEnded { work(printer, now) }
        }
    }
}
