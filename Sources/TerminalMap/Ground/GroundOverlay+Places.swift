import Geo
public import TerminalCanvas

extension GroundOverlay {
    /// Largest number of places with an icon and a name in one view. Any further places are only dots.
    private static let maximumMarkers = 200

    /// Returns markers with icons for the places in a view.
    func markers(in viewport: Viewport, color: Color) -> [MarkerOverlay] {
        guard !places.isEmpty else { return [] }
        let window = GroundWindow(viewport)
        var markers: [MarkerOverlay] = []
        for place in places where window.contains(window.dot(place.point)) {
            markers.append(
                MarkerOverlay(
                    id: "", coordinate: WebMercator.unproject(place.point), icon: MarkerIcon(text: "•", ascii: "*"),
                    style: MarkerStyleOptions(zIndex: Int.min, color: place.color ?? color), label: place.name))
            if markers.count == Self.maximumMarkers { break }
        }
        return markers
    }

    /// Returns the places in a view that have no icon, because the view has too many places.
    func placesWithoutIcon(in window: GroundWindow) -> some Sequence<FlatPlace> {
        places.lazy.filter { window.contains(window.dot($0.point)) }.dropFirst(Self.maximumMarkers)
    }

    /// Returns the name of the object at a cell of a view; nil if no object with a name is there. The nearest place within one cell comes
    /// first, then the topmost line, or edge of an area, within one cell. If neither is within one cell, the topmost area that contains the
    /// middle of the cell is used.
    public func name(at position: Position, camera: Camera) -> String? {
        let viewport = Viewport(camera: camera, painter: .braille)
        let dots = viewport.painter.dotsPerCell
        let window = GroundWindow(viewport)
        let spot = DotPoint(
            x: (Double(position.column) + 0.5) * Double(dots.columns), y: (Double(position.row) + 0.5) * Double(dots.rows))
        // An object is near if it is within one and a half cells of the middle of the cell. `reach` is this distance in columns of dots; in
        // rows of dots it is twice as much, because a cell has twice as many rows of dots as columns.
        let reach = 1.5 * Double(dots.columns)
        func distance(_ dot: DotPoint) -> Double { max(abs(dot.x - spot.x), abs(dot.y - spot.y) / 2) }
        let nearest = places.filter { !$0.name.isEmpty }.map { ($0, distance(window.dot($0.point))) }
            .filter { $0.1 <= reach }.min { $0.1 < $1.1 }
        if let nearest { return nearest.0.name }
        let named = shapes.reversed().filter { !$0.name.isEmpty }.compactMap { shape in
            window.shift(of: shape.box).map { (shape: shape, paths: shape.dots(window, $0)) }
        }
        let box = PlaneBox(
            minX: spot.x - reach, minY: spot.y - 2 * reach, maxX: spot.x + reach, maxY: spot.y + 2 * reach)
        let near = named.first { found in found.paths.contains { box.isCrossed(by: $0) } }
        return (near ?? named.first { $0.shape.isArea && $0.paths.encloses(spot) })?.shape.name
    }
}

extension FlatShape {
    /// Returns the shape's paths in dots. The paths of an area are closed.
    fileprivate func dots(_ window: GroundWindow, _ shift: Double) -> [[DotPoint]] {
        paths.map { path in (path + (isArea ? path.prefix(1) : [])).map { window.dot($0, shift) } }
    }
}

extension PlaneBox {
    fileprivate func isCrossed(by path: [DotPoint]) -> Bool {
        zip(path, path.dropFirst()).contains { part(ofSegmentFromX: $0.x, y: $0.y, toX: $1.x, y: $1.y) != nil }
    }
}

extension [[DotPoint]] {
    /// Whether a point is inside the rings, by the even-odd rule.
    fileprivate func encloses(_ point: DotPoint) -> Bool {
        var isInside = false
        for ring in self {
            for (start, end) in zip(ring, ring.dropFirst()) where (start.y > point.y) != (end.y > point.y) {
                if point.x < start.x + (point.y - start.y) / (end.y - start.y) * (end.x - start.x) { isInside.toggle() }
            }
        }
        return isInside
    }
}
