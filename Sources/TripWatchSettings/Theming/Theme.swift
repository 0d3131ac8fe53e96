package import TerminalCanvas
package import TerminalMap

/// A theme that is ready for use: a style for every scope and the map's looks, in colours that the terminal has.
package struct Theme: Sendable, Hashable {
    /// The style of a scope before colours are reduced, and the options of its line or marker.
    struct Look: Sendable, Hashable {
        var foreground = ThemeColor.default
        var background = ThemeColor.default
        var attributes: Attributes = []
        var options = ThemeOptions()
    }

    /// The name it is chosen by.
    package let name: String
    /// One line about it.
    package let about: String
    /// The background it is made for; nil for any.
    package let background: BackgroundTone?
    /// The depth to which its colours were reduced.
    package private(set) var depth: ColorDepth
    /// How the base map looks.
    package private(set) var mapStyle = MapStyle()
    /// The value for ``TerminalMap/MapScene/fillsAreas``: false where this theme gives water neither a background nor a texture beside other
    /// areas' backgrounds, so that all areas are drawn as textures and shores.
    package private(set) var fillsMapAreas = false

    /// Nothing for a scope that is plain.
    let looks: [ThemeScope: Look]
    private var styles: [ThemeScope: Style] = [:]
    private var polylines: [RouteRole: PolylineStyleOptions] = [:]
    private var markers: [ThemeMarker: MarkerStyleOptions] = [:]

    init(name: String, about: String = "", background: BackgroundTone? = nil, looks: [ThemeScope: Look], depth: ColorDepth = .direct) {
        self.name = name
        self.about = about
        self.background = background
        self.looks = looks
        self.depth = depth
        resolve()
    }

    /// The style of a scope.
    package func style(_ scope: ThemeScope) -> Style { styles[scope] ?? .plain }

    /// How a part of a trip's route is drawn: ahead is the SDK's active route, later its remaining route, behind its taken route.
    package func polylineStyle(_ role: RouteRole) -> PolylineStyleOptions { polylines[role] ?? PolylineStyleOptions() }

    /// How a marker is drawn.
    package func markerStyle(_ marker: ThemeMarker) -> MarkerStyleOptions { markers[marker] ?? MarkerStyleOptions() }

    /// This theme for a terminal that shows fewer, or more, colours than the one it was loaded for.
    package func reduced(to depth: ColorDepth) -> Theme {
        if depth == self.depth { return self }
        var theme = self
        theme.depth = depth
        theme.resolve()
        return theme
    }

    /// Makes everything that is asked for while drawing.
    private mutating func resolve() {
        styles = [:]
        for (scope, look) in looks { styles[scope] = look.style(depth: depth, isMap: scope.isMap) }
        fillsMapAreas = style(.mapWater).background != .default || isTextured(.mapWater)
        mapStyle = MapStyle(theme: self)
        polylines = [:]
        for role in RouteRole.allCases { polylines[role] = makePolylineStyle(role) }
        markers = [:]
        for marker in ThemeMarker.allCases { markers[marker] = makeMarkerStyle(marker) }
    }
}

extension Theme {
    /// Whether dots stand for an area beside others that are filled.
    func isTextured(_ scope: ThemeScope) -> Bool {
        (depth == .palette256 || depth == .direct) && looks[scope]?.options.isTextured == true && style(scope).background == .default
    }
}

extension Theme.Look {
    /// The style with this many colours.
    ///
    /// Where a background sets something apart and no colour is left for it, the text is reversed: a focus or a banner must not become
    /// invisible. Areas of the map have textures for that.
    func style(depth: ColorDepth, isMap: Bool) -> Style {
        var style = Style(
            foreground: foreground.reduced(to: depth), background: background.reduced(to: depth), attributes: attributes)
        if depth == .none && !isMap && background.full != .default { style.attributes.insert(.reverse) }
        return style
    }
}
