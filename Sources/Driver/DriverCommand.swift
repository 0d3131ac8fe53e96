public import FleetEngine
import Synchronization

/// A command to a driver, from a person or from the policy that drives automatically (``TripDriverConfiguration/isAutomatic``).
public enum DriverCommand: Hashable, Sendable {
    /// Accepts the offered trip. The trip becomes ENROUTE_TO_PICKUP when its pick-up is the next stop.
    case accept(TripName)
    /// Declines the offered trip. The trip is not offered again while it stays assigned to the vehicle.
    case decline(TripName)
    /// Reports the vehicle at the stop that it is driving to: ARRIVED, or COMPLETE at the drop-off.
    case arrived
    /// Leaves for the next stop, because the riders of this stop are in or out.
    case goOn
    /// Sets whether the driver wants new trips. An offline vehicle is still reported as long as it has riders.
    case setOnline(Bool)
}

/// Passes commands to a running driver. A command that does not fit the driver's phase is ignored.
public final class DriverControls: Sendable {
    private let commands = Mutex<[DriverCommand]>([])

    /// Creates controls for one driver.
    public init() {}

    /// Sends a command. The driver receives it at the next fix, or after `TripDriverConfiguration.fixIntervalSeconds` at the latest.
    public func tell(_ command: DriverCommand) { commands.withLock { $0.append(command) } }

    /// The commands that were sent since the last call, in order.
    func next() -> [DriverCommand] {
        commands.withLock { commands in
            defer { commands = [] }
            return commands
        }
    }
}
