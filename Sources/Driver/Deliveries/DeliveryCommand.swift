public import FleetEngine
import FoundationEssentials
import Synchronization

/// A command to the driver of a delivery vehicle about the first stop on its list.
public enum DeliveryCommand: Hashable, Sendable {
    /// Sets off for the stop, whose state is NEW or unknown. The stop becomes ENROUTE.
    case setOff
    /// Reports that the vehicle has arrived at the stop: ENROUTE becomes ARRIVED.
    case arrived
    /// Gives the stop's tasks this outcome, and removes the stop from the list. Before the stop is ARRIVED, only FAILED is valid.
    case end(DeliveryTaskOutcome)

    /// Whether the command is valid for a stop in this state.
    func fits(_ state: VehicleStopState) -> Bool {
        switch self {
        case .setOff: state == .new || state == .unknown
        case .arrived: state == .enroute
        case .end(let outcome): outcome == .failed || state == .arrived
        }
    }
}

/// Passes commands to a running driver. A command that is not valid for the first stop is ignored, and reported.
public final class DeliveryControls: Sendable {
    private let commands = Mutex<[DeliveryCommand]>([])

    /// Creates controls for one driver.
    public init() {}

    /// Sends a command. The driver receives it at the next position, or after `DeliveryDriverConfiguration.fixIntervalSeconds` at the
    /// latest.
    public func tell(_ command: DeliveryCommand) { commands.withLock { $0.append(command) } }

    /// Returns the commands that were sent since the last call, in order.
    func next() -> [DeliveryCommand] {
        commands.withLock { commands in
            defer { commands = [] }
            return commands
        }
    }
}

/// The values from which an automatic driver derives its next command: the first stop, and the vehicle's distance, speed and arrival.
struct DeliveryMoment: Hashable, Sendable {
    /// A stationary vehicle has reached the stop if it is at most this many metres away.
    static let arrivalMeters = 50.0
    /// The speed below which the vehicle counts as stationary, in metres per second.
    static let standingMetersPerSecond = 2.0
    /// The longest time that the vehicle stays at a stop, in seconds.
    private static let longestSeconds = 86_400.0

    var stop: VehicleStop
    /// The distance from the vehicle to the stop, in metres; nil without a position.
    var meters: Double?
    /// The speed of the vehicle, in metres per second; nil if unknown.
    var speed: Double?
    /// Whether a self-driving vehicle has reached the end of its route and therefore cannot get nearer to the stop.
    var isAtRouteEnd = false
    /// The time at which the vehicle arrived; nil before the arrival.
    var arrivedAt: Date?
    var now: Date

    /// The command that is due; nil if no command is due.
    var due: DeliveryCommand? {
        switch stop.state {
        case .new, .unknown: .setOff
        case .enroute: isThere ? .arrived : nil
        case .arrived: arrivedAt.map { now.timeIntervalSince($0) >= secondsAtStop } ?? false ? .end(.succeeded) : nil
        }
    }

    /// The sum of the durations of the stop's tasks, in seconds, but at most one day.
    var secondsAtStop: Double {
        min(stop.tasks.reduce(0) { $0 + max(0, $1.durationSeconds ?? 0) }, Self.longestSeconds)
    }

    private var isThere: Bool {
        if isAtRouteEnd { return true }
        guard let meters, let speed else { return false }
        return meters <= Self.arrivalMeters && speed < Self.standingMetersPerSecond
    }
}
