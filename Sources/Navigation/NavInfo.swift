public import Routing

/// The contents of a turn-by-turn display (`GMSNavigationNavInfo`): the next manoeuvre and the distance to it.
public struct NavInfo: Hashable, Sendable {
    /// Whether the vehicle is guided along its route.
    public enum State: Hashable, Sendable {
        /// The vehicle is on its route.
        case enroute
        /// The vehicle has left its route, or a new route was requested. Distances and times keep their last values.
        case rerouting
        /// There is no guidance.
        case stopped
    }

    /// Whether the vehicle is guided along its route.
    public let state: State
    /// The next manoeuvre; nil after the last one of the leg.
    public let nextStep: RouteStep?
    /// Metres to the next manoeuvre. After the last manoeuvre, metres to the destination.
    public let distanceToNextStepMeters: Double
    /// Seconds to the next manoeuvre. After the last manoeuvre, seconds to the destination.
    public let timeToNextStepSeconds: Double
    /// The road that the vehicle is on; nil if it has no name.
    public let roadName: String?
    /// The manoeuvres after the next one.
    public let stepsAfterNext: ArraySlice<RouteStep>
}

extension NavigatorState {
    /// The turn-by-turn display; nil without a route, or if the router gave no manoeuvres.
    public var navInfo: NavInfo? {
        guard let route, let leg = currentRouteLeg, !leg.steps.isEmpty else { return nil }
        let next = leg.firstStep(beyondMeters: progressMeters)
        let step = leg.steps.indices.contains(next) ? leg.steps[next] : nil
        let (here, there) = (route.remaining(ofLeg: leg, fromMeters: progressMeters), step.map(\.offsetMeters) ?? leg.endMeters)
        let after = route.remaining(ofLeg: leg, fromMeters: there)
        let isHeld = offRouteReason != nil || rerouteReason != nil
        return NavInfo(
            state: !isGuidanceActive ? .stopped : isHeld ? .rerouting : .enroute, nextStep: step,
            distanceToNextStepMeters: max(0, here.distanceMeters - after.distanceMeters),
            timeToNextStepSeconds: max(0, here.timeSeconds - after.timeSeconds),
            roadName: next > 0 ? leg.steps[next - 1].roadName : nil, stepsAfterNext: leg.steps.dropFirst(next + 1))
    }
}
