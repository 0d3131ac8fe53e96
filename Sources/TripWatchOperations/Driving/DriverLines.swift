import Driver
import FleetEngine
import FoundationEssentials
import JourneySharing
import Navigation
import ProgramSurroundings
import Synchronization
import TripWatchWords

/// A simulated driver's events, as lines.
final class DriverLines: Sendable {
    private let time: any TimeSource
    private let streams: StandardStreams
    /// The trip that the lines are about.
    private let trip = Mutex<TripName?>(nil)
    /// What the last line said of a call that is made again; nil where it said something else.
    private let retried = Mutex<String?>(nil)
    private let server: String?
    private let endsWithoutVehicle: Bool
    private let start = Mutex(Start())

    /// What happened before the server took the first report.
    private struct Start {
        var isOver = false
        var hasFailed = false
        var missing: FleetEngineError?
        var onMissing: (@Sendable () -> Void)?
    }

    /// - Parameters:
    ///   - server: its name, for the first failure on standard error; nil says none there.
    ///   - endsWithoutVehicle: the shift ends where the server does not have the vehicle at its start.
    init(time: any TimeSource, streams: StandardStreams, server: String? = nil, endsWithoutVehicle: Bool = false) {
        self.time = time
        self.streams = streams
        self.server = server
        self.endsWithoutVehicle = endsWithoutVehicle
    }

    /// Why the server does not have the vehicle; nil where it has, and where that ends nothing.
    var missingVehicle: FleetEngineError? { start.withLock { $0.missing } }

    /// Names what is done when the server does not have the vehicle, at once where that is known already.
    func onMissingVehicle(_ end: @escaping @Sendable () -> Void) {
        let isMissing = start.withLock { start in
            start.onMissing = end
            return start.missing != nil
        }
        if isMissing { end() }
    }

    func tell(_ event: TripDriverEvent) {
        guard !isAboutMissingVehicle(event) else { return }
        sayFirstFailure(event)
        switch event {
        case .took(let name), .resumed(let name), .status(let name, _), .notSent(let name, _, _): turn(to: name)
        default: break
        }
        if isNews(event), let words = Self.words(event) { say(words) }
    }

    /// Whether nothing is told of an event, because the vehicle is not there at the start of the shift: that is one sentence at the end, or
    /// where it is waited for the line of the refused report.
    private func isAboutMissingVehicle(_ event: TripDriverEvent) -> Bool {
        if case .online = event { start.withLock { $0.isOver = true } }
        guard let error = Self.failure(event)?.error, error.code == .notFound, !start.withLock({ $0.isOver }) else { return false }
        guard endsWithoutVehicle else { if case .retrying = event { return true } else { return false } }
        let end = start.withLock { start in
            defer { start.missing = start.missing ?? error }
            return start.missing == nil ? start.onMissing : nil
        }
        end?()
        return true
    }

    /// The lines go to the output; of the first failure standard error is told as well.
    private func sayFirstFailure(_ event: TripDriverEvent) {
        guard let server, let (error, wait) = Self.failure(event) else { return }
        let isFirst = start.withLock { start in
            defer { start.hasFailed = true }
            return !start.hasFailed
        }
        guard isFirst else { return }
        let retry = wait.map { " Trying again in \(TripWords.age($0.rounded(.up)))." } ?? ""
        streams.say("tripwatch: \(FailureWords(error, error.errorClass()).sentence(at: server))\(retry)")
    }

    /// The failure of a call that is made again, and in how many seconds.
    private static func failure(_ event: TripDriverEvent) -> (error: FleetEngineError, seconds: Double?)? {
        switch event {
        case .reportRefused(let error, let seconds): (error, seconds)
        case .retrying(.fleetEngine(let error), let seconds): (error, seconds)
        default: nil
        }
    }

    /// Whether an event is not what the line before said: of a server that is away for an hour one line is enough.
    private func isNews(_ event: TripDriverEvent) -> Bool {
        guard case .retrying(let failure, _) = event else {
            if Self.words(event) != nil { retried.withLock { $0 = nil } }
            return true
        }
        let words = Self.words(failure)
        return retried.withLock { before in
            defer { before = words }
            return before != words
        }
    }

    func tellCreated(_ vehicle: VehicleName) { say("created     \(printable(vehicle.description))") }

    private func say(_ words: String) {
        let date = time.now()
        let clock = Timestamps.clock(date, secondsFromGMT: LocalZone.secondsFromGMT(date), withSeconds: true)
        streams.print("\(clock) \(words)")
    }

    /// Says of which trip the next lines are, where that is another one: trips that share the car take turns.
    private func turn(to name: TripName) {
        let isOther = trip.withLock { trip in
            defer { trip = name }
            return trip != name
        }
        if isOther { say("trip        \(printable(name.description))") }
    }

    /// Nil for events with other lines.
    private static func words(_ event: TripDriverEvent) -> String? {
        switch event {
        case .took, .resumed: nil
        case .waitingForTrip: "waiting     for a trip"
        case .online: "online"
        case .reportRefused(let error, let seconds):
            "refused     \(words(error)), " + (seconds.map { "again in \(whole($0)) s" } ?? "not sent again")
                + (error.code == .notFound ? "; make the vehicle there, or start with --create" : "")
        case .reportAccepted(let seconds): "accepted again after \(whole(seconds)) s"
        case .withdrawn(let name): "withdrawn   \(printable(name.description)): taken off this vehicle before it began"
        case .status(_, let status): "status      \(status.name)"
        case .notSent(_, let status, let found): "not sent    \(status.name): the trip has changed and is \(found.name) now"
        case .route(let stop, let meters, let seconds, let isReroute):
            "route       \(isReroute ? "new way" : "way") to \(stop.type.word): "
                + "\(DistanceText.text(meters: meters)), \(ETAText(remainingSeconds: seconds).short)"
        case .navigation(let event): words(event)
        case .retrying(let failure, let seconds): "retrying    \(words(failure)), in \(TripWords.age(seconds))"
        case .ended(let driven): "ended       \(printable(driven.name.description)): \(words(driven.outcome))"
        }
    }

    /// Nil for what happens all the time, and for what other lines say.
    private static func words(_ event: NavigatorEvent) -> String? {
        switch event {
        case .didBeginRerouting(let reason): "rerouting   \(words(reason))"
        case .didReturnToRoute: "on route    the car is back on its way"
        case .didUpdateTraffic: "traffic     has changed on the way"
        case .didUpdateDelayCategory(let category, let delay): words(category, delaySeconds: delay)
        case .didUpdateSpeedAlertSeverity(let severity, let percent):
            severity == .notSpeeding ? "speed       within the limit again" : "speeding    \(whole(percent)) % above the limit"
        case .didLoseLocation(let seconds): "gps lost    no position for \(TripWords.age(seconds))"
        case .didRegainLocation(let seconds): "gps back    after \(TripWords.age(seconds))"
        case .didUpdateLocation, .didChangeRoute, .didArrive, .didUpdateRemainingTime, .didUpdateRemainingDistance, .didLeaveRoute,
            .didUpdateSpeedingPercentage, .didUpdateNavInfo, .didChangeSuggestedLightingMode:
            nil
        }
    }

    /// That nobody knows of traffic is no news.
    private static func words(_ category: DelayCategory, delaySeconds: Double) -> String? {
        switch category {
        case .noData: nil
        case .light: "delay       light, \(whole(delaySeconds)) s"
        case .medium: "delay       medium, \(TripWords.age(delaySeconds))"
        case .heavy: "delay       heavy, \(TripWords.age(delaySeconds))"
        }
    }

    private static func words(_ reason: RerouteReason) -> String {
        switch reason {
        case .offRoute: "the car has left its way"
        case .wrongWay: "the car drives its way backwards"
        case .requested: "another way was asked for"
        }
    }

    private static func words(_ failure: TripDriverFailure) -> String {
        switch failure {
        case .fleetEngine(let error): words(error)
        case .route, .location: printable(failure.description)
        }
    }

    private static func words(_ error: FleetEngineError) -> String {
        error.message.isEmpty ? error.code.name : "\(error.code.name): \(printable(error.message))"
    }

    /// How a trip ended, and by whom as far as the server tells.
    static func words(_ outcome: TripOutcome) -> String {
        switch outcome {
        case .completed: "completed"
        case .canceled: "canceled by the rider or the provider"
        case .reassigned: "reassigned, the provider took it off this vehicle"
        case .gone: "gone, the server has lost it"
        }
    }

    private static func whole(_ seconds: Double) -> Int { Int(min(max(seconds.isNaN ? 0 : seconds, 0), 1e9).rounded()) }
}
