import Geo
import TerminalCanvas

extension BasePainter {
    /// Paints the user's overlay on the base map. Areas are painted only if the map has area colours. Lines and places are drawn as dots.
    mutating func drawOverlay(_ pass: MapPass) {
        guard let overlay = pass.scene.ground else { return }
        let window = GroundWindow(pass.viewport)
        if pass.scene.fills == .all {
            for shape in overlay.shapes { fill(shape, window) }
        }
        for shape in overlay.shapes where shape.strokeWidth > 0 { stroke(shape, window, pass) }
        for place in overlay.places {
            let dot = window.dot(place.point)
            guard window.contains(dot) else { continue }
            raster.plot(dot, ink: pass.overlayInk(place.color))
            effort.lines -= 1
        }
    }

    private mutating func fill(_ shape: FlatShape, _ window: GroundWindow) {
        guard let fill = shape.fill, let shift = window.shift(of: shape.box) else { return }
        for (path, stretches) in zip(shape.paths, shape.stretches) {
            guard let last = path.last else { continue }
            var previous = window.sample(last, shift)
            func add(_ point: MercatorPoint) {
                let next = window.sample(point, shift)
                plane.addEdge(fromX: previous.x, y: previous.y, toX: next.x, y: next.y)
                previous = next
            }
            add(path[0])
            for stretch in stretches {
                // If a stretch lies beyond one side of the view, only its two end points affect the visible part of the area.
                if window.isBeside(stretch.box, shift, margin: 0) {
                    add(path[stretch.indices.upperBound])
                } else {
                    for index in stretch.indices.dropFirst() { add(path[index]) }
                }
            }
        }
        plane.paintPolygon(FlatFill.firstNumber + UInt8(clamping: fill))
    }

    private mutating func stroke(_ shape: FlatShape, _ window: GroundWindow, _ pass: MapPass) {
        guard let shift = window.shift(of: shape.box) else { return }
        let ink = pass.overlayInk(shape.stroke)
        let width = pass.isPlain ? 1 : max(1, shape.strokeWidth)
        var dots: [DotPoint] = []
        func add(_ point: MercatorPoint) {
            let dot = window.dot(point, shift)
            if let last = dots.last, last.x.rounded(.down) == dot.x.rounded(.down), last.y.rounded(.down) == dot.y.rounded(.down) { return }
            effort.lines -= 1 + window.seenDots(from: dots.last ?? dot, to: dot)
            dots.append(dot)
        }
        func draw() {
            raster.polyline(dots, width: width, dashes: .solid, ink: ink)
            dots.removeAll(keepingCapacity: true)
        }
        for (path, stretches) in zip(shape.paths, shape.stretches) {
            for stretch in stretches {
                guard effort.lines > 0 else { return }
                if window.isBeside(stretch.box, shift, margin: GroundWindow.margin) {
                    draw()
                    add(path[stretch.indices.upperBound])
                } else {
                    for index in stretch.indices.dropFirst(dots.isEmpty ? 0 : 1) { add(path[index]) }
                }
            }
            if shape.isArea, let first = path.first { add(first) }
            draw()
        }
    }
}

/// Converts points of the Mercator square to dots and samples of a view. If the view moves by whole cells, the converted points move by
/// exactly the same distance.
struct GroundWindow {
    private let viewport: Viewport
    private let across: Double
    private let down: Double

    init(_ viewport: Viewport) {
        self.viewport = viewport
        let dots = viewport.painter.dotsPerCell
        across = Double(AreaPlane.samplesAcross) / Double(dots.columns)
        down = Double(AreaPlane.samplesDown) / Double(dots.rows)
    }

    /// Returns the shift, in whole worlds, that brings a shape nearest to the view; nil if the shifted shape is outside the view.
    func shift(of box: PlaneBox) -> Double? {
        let middle = (viewport.originX + Double(viewport.dotColumns) / 2) / viewport.worldWidth
        let shift = (middle - (box.minX + box.maxX) / 2).rounded()
        let (first, last) = (
            dot(MercatorPoint(x: box.minX, y: box.minY), shift), dot(MercatorPoint(x: box.maxX, y: box.maxY), shift)
        )
        return isBeside(first, last, margin: Self.margin) ? nil : shift
    }

    /// A margin around the view, in dots. No line is wide enough to reach across it into the view.
    static let margin = 48.0

    /// Whether a box is outside the view on one side by more than a margin, in dots.
    func isBeside(_ box: PlaneBox, _ shift: Double, margin: Double) -> Bool {
        let (first, last) = (
            dot(MercatorPoint(x: box.minX, y: box.minY), shift), dot(MercatorPoint(x: box.maxX, y: box.maxY), shift)
        )
        return isBeside(first, last, margin: margin)
    }

    private func isBeside(_ first: DotPoint, _ last: DotPoint, margin: Double) -> Bool {
        last.x < -margin || first.x > Double(viewport.dotColumns) + margin || last.y < -margin
            || first.y > Double(viewport.dotRows) + margin
    }

    /// Returns the position of a point in dots, in the copy of the world nearest to the view's middle.
    func dot(_ point: MercatorPoint) -> DotPoint {
        let middle = (viewport.originX + Double(viewport.dotColumns) / 2) / viewport.worldWidth
        return dot(point, (middle - point.x).rounded())
    }

    func dot(_ point: MercatorPoint, _ shift: Double) -> DotPoint {
        DotPoint(
            x: TilePlacement.gridded((point.x + shift) * viewport.worldWidth) - viewport.originX,
            y: TilePlacement.gridded(point.y * viewport.worldHeight) - viewport.originY)
    }

    /// Returns the position of a point in area samples.
    func sample(_ point: MercatorPoint, _ shift: Double) -> DotPoint {
        DotPoint(
            x: TilePlacement.gridded((point.x + shift) * viewport.worldWidth * across) - viewport.originX * across,
            y: TilePlacement.gridded(point.y * viewport.worldHeight * down) - viewport.originY * down)
    }

    func contains(_ dot: DotPoint) -> Bool {
        dot.x >= 0 && dot.y >= 0 && dot.x < Double(viewport.dotColumns) && dot.y < Double(viewport.dotRows)
    }

    /// Returns an upper bound on a segment's visible length, in dots.
    func seenDots(from start: DotPoint, to end: DotPoint) -> Double {
        func seen(_ start: Double, _ end: Double, _ limit: Int) -> Double {
            abs(min(max(start, 0), Double(limit)) - min(max(end, 0), Double(limit)))
        }
        return seen(start.x, end.x, viewport.dotColumns) + seen(start.y, end.y, viewport.dotRows)
    }
}

extension MapPass {
    fileprivate func overlayInk(_ color: Color?) -> Ink {
        Ink(
            priority: DrawOrder.groundOverlay,
            style: Style(foreground: color?.reduced(to: scene.colorDepth) ?? style.overlayLabel, attributes: isPlain ? .bold : []),
            asciiMark: "%")
    }

    /// The colours of the overlay's areas, mixed with the background colour of the map.
    ///
    /// An area without a colour of its own has a tint of the text's colour. If that colour is the terminal's own and unknown, the area is
    /// not filled.
    var overlayFills: [Color] {
        guard let overlay = scene.ground else { return [] }
        let ground = background.components ?? (style.tone == .light ? (250, 250, 247) : (18, 22, 28))
        return overlay.fills.map { fill in
            guard let color = resolved(fill.color ?? style.overlayLabel).components else { return background }
            func mixed(_ over: UInt8, _ under: UInt8) -> UInt8 {
                UInt8(clamping: Int((Double(over) * fill.opacity + Double(under) * (1 - fill.opacity)).rounded()))
            }
            return Color.rgb(mixed(color.red, ground.red), mixed(color.green, ground.green), mixed(color.blue, ground.blue))
                .reduced(to: isPlain ? .none : scene.colorDepth)
        }
    }

    /// Returns black or white in place of the terminal's own text colour, if the tone of the background is known.
    private func resolved(_ color: Color) -> Color {
        guard color == .default, let tone = style.tone else { return color }
        return tone == .dark ? Self.white : Self.black
    }

    /// Returns the colour of text over a background colour.
    ///
    /// With a small palette, hardly any colour but white is readable on the water. The user's areas can have any colour; on them, text that
    /// would be hard to read becomes black or white.
    func textColor(_ color: Color, over ground: Color) -> Color {
        guard ground != .default else { return color }
        if scene.fills == .water { return Self.white }
        guard scene.ground?.fills.isEmpty == false else { return color }
        if let contrast = resolved(color).contrast(with: ground), contrast >= 3 { return color }
        guard let white = Self.white.contrast(with: ground), let black = Self.black.contrast(with: ground) else { return color }
        return white >= black ? Self.white : Self.black
    }

    private static var white: Color { .palette(231) }
    private static var black: Color { .palette(16) }
}
