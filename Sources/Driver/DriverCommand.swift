public import FleetEngine
import Synchronization

/// A command to a driver, from a person or from the policy that drives automatically (``TripDriverConfiguration/isAutomatic``).
public enum DriverCommand: Hashable, Sendable {
    /// Accepts the offered trip. It becomes ENROUTE_TO_PICKUP when its stop is the next.
    case accept(TripName)
    /// Declines the offered trip. It is not offered again until the provider has taken it off the vehicle.
    case decline(TripName)
    /// Reports the vehicle at the stop that it drives to: ARRIVED, or COMPLETE at the drop-off.
    case arrived
    /// Leaves for the next stop, because the riders of this one are in or out.
    case goOn
    /// Switches new trips on or off. An offline vehicle is still reported as long as it has riders.
    case setOnline(Bool)
}

/// Passes commands to a running driver. A command that does not fit the driver's phase is ignored.
public final class DriverControls: Sendable {
    private let commands = Mutex<[DriverCommand]>([])

    /// Creates controls for one driver.
    public init() {}

    /// Sends a command. The driver receives it at the next fix, or after `TripDriverConfiguration.fixIntervalSeconds` at the latest.
    public func tell(_ command: DriverCommand) { commands.withLock { $0.append(command) } }

    /// The commands since the last call, in order.
    func next() -> [DriverCommand] {
        commands.withLock { commands in
            defer { commands = [] }
            return commands
        }
    }
}
