/// The parts of the screen that a theme can style. The raw value is the scope's name in a theme file.
///
/// A scope without a style takes the style of the longest prefix of its name that has a style in the file: `map.road.primary`, `map.road`,
/// `map`.
package enum ThemeScope: String, Sendable, CaseIterable, Hashable {
    // The screen.

    /// Ordinary text.
    case text
    /// Less prominent text.
    case textQuiet = "text.quiet"
    /// Title bar at the top.
    case title
    /// The line at the bottom that shows keys.
    case footer
    /// Lines between parts of the screen.
    case rule
    /// The countdown's large number.
    case etaNumber = "eta.number"
    /// The "min" and "at 14:13" beside the number.
    case etaUnit = "eta.unit"
    /// The "PICKUP IN" above the number.
    case etaCaption = "eta.caption"
    /// Curve of the arrival times that were forecast earlier.
    case etaHistory = "eta.history"
    case progressDone = "progress.done"
    case progressLeft = "progress.left"
    case timelineDone = "timeline.done"
    case timelineNow = "timeline.now"
    case timelineNext = "timeline.next"
    /// A card with details of the trip, such as the car and its number plate.
    case card
    case freshnessLive = "freshness.live"
    case freshnessQuiet = "freshness.quiet"
    case freshnessNotLive = "freshness.not_live"
    case freshnessOffline = "freshness.offline"
    case freshnessStopped = "freshness.stopped"
    case freshnessEnded = "freshness.ended"
    /// Banner for an error after which the program tries again.
    case bannerRetry = "banner.retry"
    /// Banner for an error that requires the user's action.
    case bannerAction = "banner.action"
    /// The newest event.
    case event
    /// A key in the footer and the help.
    case key
    case keyDisabled = "key.disabled"
    case dialog
    /// The dialog button that Enter presses.
    case dialogFocus = "dialog.focus"
    case help
    /// The selected line of a list.
    case selection

    // The trip on the map.

    case routeAhead = "route.ahead"
    case routeBehind = "route.behind"
    case routeLater = "route.later"
    case routeTrafficUnknown = "route.traffic.unknown"
    case routeTrafficNormal = "route.traffic.normal"
    case routeTrafficSlow = "route.traffic.slow"
    case routeTrafficJam = "route.traffic.jam"
    case vehicle
    /// A vehicle whose position is old.
    case vehicleStale = "vehicle.stale"
    case vehicleOffRoute = "vehicle.offroute"
    case pickup
    case stop
    case dropoff
    /// The user's position.
    case you
    /// A vehicle that is not the vehicle of the shown trip.
    case other

    // The base map. An area is filled with its background colour. A road's background colour is the colour of its surface at
    // high zoom. Foreground colours are for lines, and for the textures and shores of areas that are not filled.

    case mapGround = "map.ground"
    /// The dots that are shown if there is no base map.
    case mapGrid = "map.grid"
    case mapWater = "map.water"
    case mapFerry = "map.ferry"
    case mapPark = "map.park"
    case mapWood = "map.wood"
    case mapGrass = "map.grass"
    case mapSand = "map.sand"
    case mapIce = "map.ice"
    case mapBuiltUp = "map.built_up"
    case mapBuilding = "map.building"
    case mapPlaza = "map.plaza"
    case mapRoadMotorway = "map.road.motorway"
    case mapRoadPrimary = "map.road.primary"
    case mapRoadSecondary = "map.road.secondary"
    case mapRoadTertiary = "map.road.tertiary"
    case mapRoadStreet = "map.road.street"
    case mapRoadService = "map.road.service"
    case mapPath = "map.path"
    case mapRail = "map.rail"
    case mapTransit = "map.transit"
    case mapAeroway = "map.aeroway"
    case mapBoundary = "map.boundary"
    case mapLabelPlace = "map.label.place"
    case mapLabelQuarter = "map.label.quarter"
    case mapLabelRoad = "map.label.road"
    case mapLabelWater = "map.label.water"
    case mapLabelPark = "map.label.park"
    case mapLabelStation = "map.label.station"
    /// Names that come from the trip, not from the map.
    case mapLabelTrip = "map.label.trip"
    case mapAttribution = "map.attribution"
    /// Scale bar and north mark.
    case mapScale = "map.scale"
}

extension ThemeScope {
    /// The names under which a theme file may have a style for this scope, longest first.
    var names: [String] {
        var parts = rawValue.split(separator: ".")
        var names: [String] = []
        while !parts.isEmpty {
            names.append(parts.joined(separator: "."))
            parts.removeLast()
        }
        return names
    }

    /// All names that a theme file may use: the names of scopes, and the prefixes of these names.
    static let knownNames = Set(allCases.flatMap(\.names))

    /// Whether the scope belongs to the map, not to the screen around it.
    var isMap: Bool { rawValue.hasPrefix("map.") }
}
