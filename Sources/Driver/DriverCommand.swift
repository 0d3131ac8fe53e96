public import FleetEngine
import Synchronization

/// What a driver is told to do: by a person, or by the policy that drives by itself (``TripDriverConfiguration/isAutomatic``).
public enum DriverCommand: Hashable, Sendable {
    /// The offered trip is taken on: it becomes ENROUTE_TO_PICKUP when its stop is the next.
    case accept(TripName)
    /// The offered trip is left to others. The provider takes it off the vehicle; until it has, it is not offered again.
    case decline(TripName)
    /// The vehicle is at the stop that it drives to: ARRIVED, and at the drop-off COMPLETE.
    case arrived
    /// The riders of the stop are in or out: on to the next stop.
    case goOn
    /// New trips are wanted, or not. Offline the vehicle is still reported for as long as it has riders.
    case setOnline(Bool)
}

/// The way of commands to a driver at work. One that makes no sense where the driver stands is left out.
public final class DriverControls: Sendable {
    private let commands = Mutex<[DriverCommand]>([])

    /// Controls for one driver.
    public init() {}

    /// Tells the driver, who hears it at the next fix, or where none comes within `TripDriverConfiguration.fixIntervalSeconds`.
    public func tell(_ command: DriverCommand) { commands.withLock { $0.append(command) } }

    /// What was told since the last call, in order.
    func next() -> [DriverCommand] {
        commands.withLock { commands in
            defer { commands = [] }
            return commands
        }
    }
}
