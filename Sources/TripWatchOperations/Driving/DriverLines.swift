import Driver
import FleetEngine
import FoundationEssentials
import JourneySharing
import Navigation
import ProgramSurroundings
import Synchronization
import TripWatchWords

/// Prints a driver's events as lines.
final class DriverLines: Sendable {
    private let time: any TimeSource
    private let streams: StandardStreams
    /// The trip that the last lines describe.
    private let trip = Mutex<TripName?>(nil)
    /// The failure in the last line if that line was about a retried call; otherwise nil.
    private let retried = Mutex<String?>(nil)
    private let server: String?
    private let endsWithoutVehicle: Bool
    private let start = Mutex(Start())

    /// The state of the drive until the server accepts the first report.
    private struct Start {
        var isOver = false
        var hasFailed = false
        var missing: FleetEngineError?
        var onMissing: (@Sendable () -> Void)?
    }

    /// Creates the printer.
    /// - Parameters:
    ///   - server: name of the server, for the message about the first failure; nil to print no such message.
    ///   - endsWithoutVehicle: whether the drive ends if the vehicle does not exist on the server at the start.
    init(time: any TimeSource, streams: StandardStreams, server: String? = nil, endsWithoutVehicle: Bool = false) {
        self.time = time
        self.streams = streams
        self.server = server
        self.endsWithoutVehicle = endsWithoutVehicle
    }

    /// The error for a missing vehicle; nil if the vehicle exists, or if the drive waits for it.
    var missingVehicle: FleetEngineError? { start.withLock { $0.missing } }

    /// Sets the function to call if the vehicle is missing. Calls it at once if the vehicle is already known to be missing.
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

    /// Whether an event's line is left out because the vehicle is missing. If the missing vehicle ends the drive, the final message reports
    /// it. Otherwise, the line about the refused report is enough.
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

    /// Prints the first failure on standard error, in addition to its line on standard output.
    private func sayFirstFailure(_ event: TripDriverEvent) {
        guard let server, let (error, wait) = Self.failure(event) else { return }
        let isFirst = start.withLock { start in
            defer { start.hasFailed = true }
            return !start.hasFailed
        }
        guard isFirst else { return }
        let retry = wait.map { " Trying again in \(TripWords.countdown($0))." } ?? ""
        streams.say("tripwatch: \(Self.sentence(error, at: server))\(retry)")
    }

    /// Returns the sentence for a driver's failed call. A denied permission gets the words for drivers. Other errors get the general words,
    /// because the words for drivers are about the vehicle, and the call may have been about a trip.
    static func sentence(_ error: FleetEngineError, at server: String) -> String {
        let errorClass = error.errorClass()
        let isDenied = errorClass == .actionRequired(.checkPermission)
        return (isDenied ? FailureWords.forDriver(error) : FailureWords(error, errorClass)).sentence(at: server)
    }

    /// Returns the failure of a call, and the seconds until its retry, which are nil if the call is not retried. Returns nil for other
    /// events.
    private static func failure(_ event: TripDriverEvent) -> (error: FleetEngineError, seconds: Double?)? {
        switch event {
        case .reportRefused(let error, let seconds): (error, seconds)
        case .retrying(.fleetEngine(let error), let seconds): (error, seconds)
        default: nil
        }
    }

    /// Whether to print the line of an event. If the same failure repeats, only its first line is printed.
    private func isNews(_ event: TripDriverEvent) -> Bool {
        let words: String
        switch event {
        case .retrying(let failure, _): words = Self.words(failure)
        // A failed report that the server did not refuse has the same line as any other failed call.
        case .reportRefused(let error, .some) where error.origin != .server: words = Self.words(error)
        default:
            if Self.words(event) != nil { retried.withLock { $0 = nil } }
            return true
        }
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

    /// Prints a trip's name if the last lines were about another trip. The lines of trips that share a car are mixed.
    private func turn(to name: TripName) {
        let isOther = trip.withLock { trip in
            defer { trip = name }
            return trip != name
        }
        if isOther { say("trip        \(printable(name.description))") }
    }

    /// Returns the line for an event; nil for an event that is too frequent or that another line reports.
    private static func words(_ event: TripDriverEvent) -> String? {
        switch event {
        case .took, .resumed: nil
        case .waitingForTrip: "waiting     for a trip"
        case .online: "online"
        case .reportRefused(let error, let seconds):
            report(error, retryAfterSeconds: seconds)
                + (error.code == .notFound ? "; create the vehicle on the server, or start with --create" : "")
        case .reportAccepted(let seconds): "accepted    reports are accepted again, \(whole(seconds)) s after the first failed report"
        case .withdrawn(let name): "withdrawn   \(printable(name.description)): removed from this vehicle before the trip began"
        case .status(_, let status): "status      \(status.name)"
        case .notSent(_, let status, let found): "not sent    \(status.name): the trip has changed to \(found.name)"
        case .route(let stop, let meters, let seconds, let isReroute):
            "route       \(isReroute ? "changed, " : "")to \(stop.type.word): "
                + "\(DistanceText.text(meters: meters)), \(ETAText(remainingSeconds: seconds).short)"
        case .navigation(let event): words(event)
        case .retrying(let failure, let seconds): retrying(words(failure), seconds)
        case .recovered(let seconds): "back        the server answers again, after \(TripWords.age(seconds)) without an answer"
        case .ended(let driven): "ended       \(printable(driven.name.description)): \(words(driven.outcome))"
        }
    }

    /// Returns the line for a failed report. Only an answer of the server is a refusal.
    static func report(_ error: FleetEngineError, retryAfterSeconds seconds: Double?) -> String {
        switch (seconds, error.origin) {
        case (let seconds?, .server): "refused     \(words(error)); trying again in \(TripWords.countdown(seconds))"
        case (let seconds?, _): retrying(words(error), seconds)
        case (nil, .server): "refused     \(words(error)); not sent again"
        case (nil, _): "not sent    \(words(error))"
        }
    }

    /// Returns the line for a call that is repeated.
    static func retrying(_ words: String, _ seconds: Double) -> String { "retrying    in \(TripWords.countdown(seconds)): \(words)" }

    /// Returns the line for an event; nil for an event that is too frequent or that another line reports.
    static func words(_ event: NavigatorEvent) -> String? {
        switch event {
        case .didBeginRerouting(let reason): "rerouting   \(words(reason))"
        case .didReturnToRoute: "on route    the car is back on its route"
        case .didUpdateTraffic: "traffic     has changed on the route"
        case .didUpdateDelayCategory(let category, let delay): words(category, delaySeconds: delay)
        case .didUpdateSpeedAlertSeverity(let severity, let percent):
            severity == .notSpeeding ? "speed       within the limit again" : "speeding    \(whole(percent)) % above the limit"
        case .didLoseLocation(let seconds): "gps lost    no accurate position for \(TripWords.age(seconds))"
        case .didRegainLocation(let seconds): "gps back    after \(TripWords.age(seconds))"
        case .didUpdateLocation, .didChangeRoute, .didArrive, .didUpdateRemainingTime, .didUpdateRemainingDistance, .didLeaveRoute,
            .didUpdateSpeedingPercentage, .didUpdateNavInfo, .didChangeSuggestedLightingMode:
            nil
        }
    }

    /// Returns the words for a delay; nil if the traffic is unknown.
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
        case .offRoute: "the car has left its route"
        case .wrongWay: "the car is driving its route in the wrong direction"
        case .requested: "another route was requested"
        }
    }

    static func words(_ failure: TripDriverFailure) -> String {
        switch failure {
        case .fleetEngine(let error): words(error)
        case .route, .location: printable(failure.description)
        }
    }

    static func words(_ error: FleetEngineError) -> String {
        error.message.isEmpty ? error.code.name : "\(error.code.name): \(printable(error.message))"
    }

    /// Returns the words for the end of a trip.
    static func words(_ outcome: TripOutcome) -> String {
        switch outcome {
        case .completed: "completed"
        case .canceled: "cancelled by the rider or the provider"
        case .reassigned: "reassigned: the provider removed the trip from this vehicle"
        case .gone: "lost: the server no longer knows the trip"
        }
    }

    static func whole(_ seconds: Double) -> Int { Int(min(max(seconds.isNaN ? 0 : seconds, 0), 1e9).rounded()) }
}
