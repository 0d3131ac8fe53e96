import TerminalCanvas
import TerminalMap
import VectorTiles

extension MapStyle {
    /// Creates the map style of a theme. The theme sets the colours, the text attributes of names, and whether areas are textured, and it
    /// can add built-up areas. The zoom levels, patterns and widths are the standard ones, but roads without a surface colour stay thin if
    /// areas are filled.
    init(theme: Theme) {
        self = .dark
        let isFilled = theme.fillsMapAreas
        for mapClass in MapClass.allCases {
            if let area = self[area: mapClass] ?? Self.builtUp(mapClass, theme) {
                self[area: mapClass] = area.colored(theme.style(.area(mapClass)), isTextured: theme.isTextured(.area(mapClass)))
            }
            if let line = self[line: mapClass] {
                self[line: mapClass] = line.colored(theme.style(.line(mapClass)), isFilled: isFilled)
            }
            if let label = self[label: mapClass] { self[label: mapClass] = label.styled(theme.style(.label(mapClass))) }
        }
        background = theme.style(.mapGround).background
        tone = theme.background
        grid = theme.style(.mapGrid).foreground
        scale = theme.style(.mapScale).foreground
        attribution = theme.style(.mapAttribution).foreground
        overlayLabel = theme.style(.mapLabelTrip).foreground
    }

    /// Returns the style of built-up areas; nil for other classes. Built-up areas are drawn from zoom 9 on, and only if the theme gives
    /// them a background.
    private static func builtUp(_ mapClass: MapClass, _ theme: Theme) -> Area? {
        guard ThemeScope.area(mapClass) == .mapBuiltUp, theme.style(.mapBuiltUp).background != .default else { return nil }
        return Area(color: nil, minimumZoom: 9)
    }
}

extension MapStyle.Area {
    fileprivate func colored(_ style: Style, isTextured: Bool) -> MapStyle.Area {
        var area = self
        area.isTextured = isTextured
        area.color = style.background == .default ? nil : style.background
        area.pattern.color = style.foreground
        return area
    }
}

extension MapStyle.Line {
    /// Returns this line in the colours of a style. A road without a surface colour stays a thin line, even if areas are filled.
    fileprivate func colored(_ style: Style, isFilled: Bool) -> MapStyle.Line {
        var line = self
        line.color = style.foreground
        line.surfaceColor = style.background
        if isFilled && style.background == .default { line.surfaceMeters = 0 }
        return line
    }
}

extension MapStyle.Label {
    fileprivate func styled(_ style: Style) -> MapStyle.Label {
        var label = self
        label.color = style.foreground
        label.attributes = style.attributes
        return label
    }
}
