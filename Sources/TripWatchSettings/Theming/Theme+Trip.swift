import TerminalCanvas
import TerminalMap

extension RouteRole {
    /// The theme scope that styles this part of the route.
    var scope: ThemeScope {
        switch self {
        case .ahead: .routeAhead
        case .behind: .routeBehind
        case .later: .routeLater
        }
    }
}

extension Theme {
    func makePolylineStyle(_ role: RouteRole) -> PolylineStyleOptions {
        let options = looks[role.scope]?.options ?? ThemeOptions()
        let base = PolylineStyleOptions()
        let traffic = TrafficColors(
            noData: style(.routeTrafficUnknown).foreground, normal: style(.routeTrafficNormal).foreground,
            slow: style(.routeTrafficSlow).foreground, trafficJam: style(.routeTrafficJam).foreground)
        return PolylineStyleOptions(
            strokeWidth: options.strokeWidth ?? base.strokeWidth, strokeColor: style(role.scope).foreground,
            isVisible: options.isVisible ?? base.isVisible, zIndex: options.zIndex ?? base.zIndex,
            isGeodesic: options.isGeodesic ?? base.isGeodesic, isTrafficEnabled: options.isTrafficEnabled ?? base.isTrafficEnabled,
            trafficColors: traffic)
    }

    func makeMarkerStyle(_ marker: ThemeMarker) -> MarkerStyleOptions {
        let options = looks[marker.scope]?.options ?? ThemeOptions()
        let style = style(marker.scope)
        let base = MarkerStyleOptions()
        return MarkerStyleOptions(
            icon: options.icon, groundAnchor: options.groundAnchor ?? base.groundAnchor, isVisible: options.isVisible ?? base.isVisible,
            zIndex: options.zIndex ?? base.zIndex, isFlat: options.isFlat ?? marker.isVehicle, color: style.foreground,
            background: style.background, attributes: style.attributes)
    }
}
