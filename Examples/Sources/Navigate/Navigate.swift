import Foundation
import Geo
import Navigation
import Routing

/// Prints what a navigator reports to its listeners.
final class Passenger: NavigatorListener {
    func navigator(_ navigator: Navigator, didUpdateRemainingDistance distance: Double) { print("\(Int(distance)) m left") }
    func navigator(_ navigator: Navigator, didArriveAt waypoint: NavigationWaypoint) { print("arrived at \(waypoint.title)") }
}

/// Drives a simulated vehicle to a destination, with guidance.
@main
struct Navigate {
    static func main() async throws {
        let start = Coordinate(latitude: -36, longitude: -20)
        let harbour = NavigationWaypoint(title: "Harbour", coordinate: Coordinate(latitude: -36.004, longitude: -19.996))
        let navigator = Navigator()
        let passenger = Passenger()
        navigator.add(passenger)
        navigator.distanceUpdateThreshold = 100
        var now = Date(timeIntervalSince1970: 1_800_000_000)
        navigator.update(with: LocationFix(coordinate: start, time: now), at: now)
        let status = await navigator.setDestinations([harbour], by: StraightLineRouter())
        guard status == .ok, let route = navigator.state.route else { return print("no route: \(status)") }
        navigator.isGuidanceActive = true
        var simulator = DrivingSimulator(route: route, seed: 1, startingAt: now)
        while navigator.currentRouteLeg != nil, simulator.activity == .driving {
            now.addTimeInterval(1)
            if let fix = simulator.advance(to: now) { navigator.update(with: fix, at: now) }
            navigator.tick(at: now)
        }
    }
}
