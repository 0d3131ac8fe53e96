public import FleetEngine
import Synchronization

/// A command to a driver. It comes from a person, or from the automatic mode (``TripDriverConfiguration/isAutomatic``).
public enum DriverCommand: Hashable, Sendable {
    /// Accepts the offered trip. The trip becomes ENROUTE_TO_PICKUP when its pickup is the next stop.
    case accept(TripName)
    /// Declines the offered trip. The trip is not offered again while it stays assigned to the vehicle.
    case decline(TripName)
    /// Reports that the vehicle has arrived at the stop it is driving to. The trip becomes ARRIVED_AT_PICKUP or
    /// ARRIVED_AT_INTERMEDIATE_DESTINATION, or COMPLETE at the drop-off.
    case arrived
    /// Leaves for the next stop, because the riders of this stop have got in or out.
    case goOn
    /// Sets whether the driver wants new trips. An offline driver still reports the vehicle while a trip is under way.
    case setOnline(Bool)
}

/// Passes commands to a running driver. A command that is not valid in the driver's current phase is ignored.
public final class DriverControls: Sendable {
    private let commands = Mutex<[DriverCommand]>([])

    /// Creates controls for one driver.
    public init() {}

    /// Sends a command. The driver receives it at the next position, or after `TripDriverConfiguration.fixIntervalSeconds` at the latest.
    public func tell(_ command: DriverCommand) { commands.withLock { $0.append(command) } }

    /// Returns the commands that were sent since the last call, in order.
    func next() -> [DriverCommand] {
        commands.withLock { commands in
            defer { commands = [] }
            return commands
        }
    }
}
