import Driver
import FleetEngine
import FoundationEssentials
import JourneySharing
import ProgramSurroundings
import Synchronization
import TripWatchWords

/// Prints the events of a delivery vehicle's driver as lines.
final class DeliveryLines: Sendable {
    /// Largest number of tasks that the line about a stop lists.
    private static let namedTasks = 4

    /// The facts that have already been printed. `hasFailed` and `isNotAllowed` are printed on standard error, each only once.
    private struct Told {
        var hasFailed = false
        var isNotAllowed = false
        /// The words of the last `retrying` or `notAllowed` event, or of a failed report that the server did not refuse. Any other printed
        /// event clears them, except a route and the answer to a key.
        var retried: String?
        /// The last line about a route.
        var route: String?
    }

    private let vehicle: DeliveryVehicleName
    private let time: any TimeSource
    private let streams: StandardStreams
    private let server: String
    private let told = Mutex(Told())

    /// Creates the printer.
    /// - Parameter server: name of the server, for the message about the first failure.
    init(_ vehicle: DeliveryVehicleName, time: any TimeSource, streams: StandardStreams, server: String) {
        self.vehicle = vehicle
        self.time = time
        self.streams = streams
        self.server = server
    }

    func tell(_ event: DeliveryDriverEvent) {
        sayOnce(event)
        guard let words = words(event), isNews(event, words) else { return }
        let date = time.now()
        let clock = Timestamps.clock(date, secondsFromGMT: LocalZone.secondsFromGMT(date), withSeconds: true)
        streams.print("\(clock) \(words)")
    }

    /// Whether to print the line of an event. While the same failure repeats, only its first line is printed. During this time, a route is
    /// not printed if it equals the last one.
    private func isNews(_ event: DeliveryDriverEvent, _ words: String) -> Bool {
        told.withLock { told in
            let key: String?
            switch event {
            case .retrying(let failure, _): key = DriverLines.words(failure)
            // A failed report that the server did not refuse has the same line as any other failed call.
            case .reportRefused(let error, .some) where error.origin != .server: key = DriverLines.words(error)
            // This line answers a key. It does not interrupt a series of equal failures.
            case .ignored, .refused: return true
            case .notAllowed(let error, _): key = "not allowed \(DriverLines.words(error))"
            case .route:
                defer { told.route = words }
                return told.retried == nil || told.route != words
            default: key = nil
            }
            defer { told.retried = key }
            return key == nil || told.retried != key
        }
    }

    /// Prints the first failure of the server on standard error. If the token lacks the necessary rights, also prints once what the user
    /// can do.
    private func sayOnce(_ event: DeliveryDriverEvent) {
        switch event {
        case .refused(_, let error) where error.code != .permissionDenied || error.origin != .server:
            sayFirstFailure(error, afterSeconds: nil)
        case .notAllowed, .refused:
            let isFirst = told.withLock { told in
                defer { told.isNotAllowed = true }
                return !told.isNotAllowed
            }
            if isFirst { streams.say(notAllowedSentence) }
        case .retrying(.fleetEngine(let error), let seconds): sayFirstFailure(error, afterSeconds: seconds)
        case .reportRefused(let error, let seconds): sayFirstFailure(error, afterSeconds: seconds)
        default: break
        }
    }

    private var notAllowedSentence: String {
        let id = printable(vehicle.vehicle)
        return "tripwatch: this token is not allowed to change the stops and tasks of \(id). The vehicle's position is still reported. "
            + "Use a token from 'tripwatch token mint --role driver --delivery-vehicle \(id) --trusted', "
            + "or let the provider change the stops."
    }

    private func sayFirstFailure(_ error: FleetEngineError, afterSeconds seconds: Double?) {
        let isFirst = told.withLock { told in
            defer { told.hasFailed = true }
            return !told.hasFailed
        }
        guard isFirst else { return }
        let retry = seconds.map { " Trying again in \(TripWords.countdown($0))." } ?? ""
        streams.say("tripwatch: \(DriverLines.sentence(error, at: server))\(retry)")
    }

    /// Returns the line for an event; nil for an event that is too frequent or that another line reports.
    private func words(_ event: DeliveryDriverEvent) -> String? {
        switch event {
        case .reporting: "reporting"
        case .reportRefused(let error, let seconds): DriverLines.report(error, retryAfterSeconds: seconds)
        case .reportAccepted(let seconds):
            "accepted    reports are accepted again, \(DriverLines.whole(seconds)) s after the first failed report"
        case .created: "created     \(printable(vehicle.description))"
        case .waitingForStops: "waiting     for stops"
        case .stop(let stop, let remaining): "stop        \(Self.tasks(stop)): \(stop.state.rawValue), \(remaining) left"
        case .route(let meters, let seconds, let isReroute):
            "route       \(isReroute ? "changed, " : "")to the stop: "
                + "\(DistanceText.text(meters: meters)), \(ETAText(remainingSeconds: seconds).short)"
        // The server has refused the outcome of every task. Each refusal has its own line.
        case .ended(let stop, _) where stop.tasks.isEmpty: nil
        case .ended(let stop, let outcome): "\(outcome == .succeeded ? "done  " : "failed")      \(Self.tasks(stop))"
        case .outcomeNotTaken(let task, let error): "refused     outcome of \(printable(task)): \(DriverLines.words(error))"
        case .refused(let command, let error): "refused     \(DeliveryKeys.word(command)): \(DriverLines.words(error))"
        case .ignored(let command, let state):
            "ignored     \(DeliveryKeys.word(command)): " + (state.map { "the stop is \($0.rawValue)" } ?? "no stop is known")
        case .navigation(let event): DriverLines.words(event)
        case .notAllowed(let error, let seconds): "not allowed \(DriverLines.words(error)); trying again in \(TripWords.countdown(seconds))"
        case .retrying(let failure, let seconds): DriverLines.retrying(DriverLines.words(failure), seconds)
        case .recovered(let seconds): "back        the server answers again, after \(TripWords.age(seconds)) without an answer"
        }
    }

    /// Returns the ids of a stop's tasks.
    private static func tasks(_ stop: VehicleStop) -> String {
        let ids = stop.tasks.prefix(namedTasks).map { printable($0.taskID) }.joined(separator: ", ")
        let more = stop.tasks.count - namedTasks
        return more > 0 ? "\(ids) and \(more) more" : ids
    }
}
