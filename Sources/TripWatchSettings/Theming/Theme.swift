package import TerminalCanvas
package import TerminalMap

/// A theme ready for drawing: a style for every scope and a map style, in colours that the terminal supports.
package struct Theme: Sendable, Hashable {
    /// The style of a scope before its colours are reduced to the terminal's, and the options of its line or marker.
    struct Look: Sendable, Hashable {
        var foreground = ThemeColor.default
        var background = ThemeColor.default
        var attributes: Attributes = []
        var options = ThemeOptions()
    }

    /// Name of the theme.
    package let name: String
    /// Description of the theme in one line.
    package let about: String
    /// The terminal background for which the theme is made; nil for any background.
    package let background: BackgroundTone?
    /// The colour depth to which the theme's colours are reduced.
    package private(set) var depth: ColorDepth
    /// Style of the base map.
    package private(set) var mapStyle = MapStyle()
    /// The value for ``TerminalMap/MapScene/fillsAreas``: true if the theme gives water a background colour, or dots. If false, all areas
    /// are drawn as textures and shores.
    package private(set) var fillsMapAreas = false

    /// Looks by scope. A scope without an entry is drawn without colours or attributes.
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

    /// Returns the style of a scope.
    package func style(_ scope: ThemeScope) -> Style { styles[scope] ?? .plain }

    /// Returns the style of a part of a trip's route: `ahead` is the SDK's active route, `later` its remaining route, `behind`
    /// its taken route.
    package func polylineStyle(_ role: RouteRole) -> PolylineStyleOptions { polylines[role] ?? PolylineStyleOptions() }

    /// Returns the style of a marker.
    package func markerStyle(_ marker: ThemeMarker) -> MarkerStyleOptions { markers[marker] ?? MarkerStyleOptions() }

    /// Returns this theme for a terminal with another number of colours.
    package func reduced(to depth: ColorDepth) -> Theme {
        if depth == self.depth { return self }
        var theme = self
        theme.depth = depth
        theme.resolve()
        return theme
    }

    /// Computes all styles in advance, so that drawing only looks them up.
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
    /// Returns whether an area is drawn with dots although other areas are filled.
    func isTextured(_ scope: ThemeScope) -> Bool {
        (depth == .palette256 || depth == .direct) && looks[scope]?.options.isTextured == true && style(scope).background == .default
    }
}

extension Theme.Look {
    /// Returns the style for a colour depth.
    ///
    /// On a terminal without colours, a scope with a background is drawn in reverse video, so that the focus or a banner stays
    /// visible. Map areas have textures instead.
    func style(depth: ColorDepth, isMap: Bool) -> Style {
        var style = Style(
            foreground: foreground.reduced(to: depth), background: background.reduced(to: depth), attributes: attributes)
        if depth == .none && !isMap && background.full != .default { style.attributes.insert(.reverse) }
        return style
    }
}
