package import Navigation
import Routing
import TerminalCanvas

/// The texts for the driver's next manoeuvre: `in 240 m left`, `into Rue Grimaldi`.
package enum TurnWords {
    /// The distance below which the manoeuvre is shown as due now, in metres.
    private static let nowMeters = 15.0

    /// Returns one line for the next manoeuvre and one for the road after it, if this road has a name. The array is empty during rerouting
    /// and without guidance. It is also empty if the next manoeuvre is the departure or the arrival, or if the router gives none.
    package static func lines(_ info: NavInfo, distance: (Double) -> String) -> [String] {
        guard info.state == .enroute, let step = info.nextStep, let what = words(step.maneuver) else { return [] }
        let away = info.distanceToNextStepMeters
        let road = step.roadName.map { sanitised($0, maximumLength: 60) } ?? ""
        return [(away < nowMeters ? "now" : "in \(distance(away))") + " " + what] + (road.isEmpty ? [] : ["into \(road)"])
    }

    private static func words(_ maneuver: Maneuver) -> String? {
        switch maneuver {
        case .unknown, .depart, .arrive: nil
        case .straight: "straight on"
        case .slightLeft: "slight left"
        case .left: "left"
        case .sharpLeft: "sharp left"
        case .slightRight: "slight right"
        case .right: "right"
        case .sharpRight: "sharp right"
        case .uTurnLeft, .uTurnRight: "turn round"
        case .keepLeft: "keep left"
        case .keepRight: "keep right"
        case .merge: "merge"
        case .onRamp: "take the ramp"
        case .offRamp: "take the exit"
        case .enterRoundabout: "enter the roundabout"
        case .exitRoundabout: "leave the roundabout"
        case .ferry: "take the ferry"
        }
    }
}
