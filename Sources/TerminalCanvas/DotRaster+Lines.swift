extension DotRaster {
    /// The width, in dots, below which a line is drawn one dot wide.
    private static var thinWidth: Double { 1.5 }
    /// The largest width of a line, in dots. Wider lines are drawn with this width.
    private static var greatestWidth: Double { 64 }

    /// Draws a straight line and clips it exactly. `width` is in dots. The ASCII painter's lines are always one character wide.
    public mutating func line(from start: DotPoint, to end: DotPoint, width: Double = 1, ink: Ink) {
        guard let start = start.bounded, let end = end.bounded else { return }
        let radius = self.radius(width)
        withPlotter(ink) { [shape] plotter in
            DotRaster.draw(from: start, to: end, radius: radius, shape: shape, plotter: plotter)
        }
    }

    /// Draws connected segments and clips them exactly. There are no gaps at the vertices. A point that is not finite interrupts the line.
    ///
    /// - Parameters:
    ///   - width: the width in dots, 1 ... 64. The ASCII painter's lines are always one character wide.
    ///   - dashes: the dash pattern. Its lengths are numbers of drawn dots, and not distances along a slanted line.
    ///   - phase: the position in the pattern at which the line starts, in dots.
    /// - Returns: the position in the pattern at the end of the line, in dots. Pass it as `phase` to continue the line.
    @discardableResult
    public mutating func polyline(
        _ points: [DotPoint], width: Double = 1, dashes: DashPattern = .solid, phase: Double = 0, ink: Ink
    ) -> Double {
        let radius = self.radius(width)
        var distance = phase.isFinite ? phase : 0
        withPlotter(ink) { [shape] plotter in
            var previous: DotPoint?
            var isAlone = false
            for point in points {
                let next = point.bounded
                if let previous, let next {
                    if dashes.isSolid {
                        DotRaster.draw(from: previous, to: next, radius: radius, shape: shape, plotter: plotter)
                    } else {
                        let dash = DashState(pattern: dashes, distance: distance)
                        DotRaster.draw(from: previous, to: next, radius: radius, dash: dash, shape: shape, plotter: plotter)
                        distance = dashes.place(distance + LineWalk.length(from: previous, to: next))
                    }
                }
                isAlone = previous == nil && next != nil
                previous = next
            }
            if isAlone, let previous { DotRaster.draw(from: previous, to: previous, radius: radius, shape: shape, plotter: plotter) }
        }
        return distance
    }

    /// Reserves the cells along a line (see ``reserve(column:row:priority:)``). Lines with a lower priority stay out of the line's
    /// gaps and margins. A point that is not finite interrupts the line.
    public mutating func reserve(along points: [DotPoint], width: Double = 1, priority: UInt8) {
        let radius = self.radius(width)
        let shape = shape
        cells.withUnsafeMutableBufferPointer { buffer in
            let plotter = DotPlotter(cells: buffer, raster: shape, priority: priority, ink: 0, isDrawing: false)
            var previous: DotPoint?
            for point in points {
                let next = point.bounded
                if let previous, let next { DotRaster.draw(from: previous, to: next, radius: radius, shape: shape, plotter: plotter) }
                previous = next
            }
        }
    }

    /// Returns half the width of a line, in dots; `nil` for a line that is drawn one dot or one character wide.
    private func radius(_ width: Double) -> Double? {
        guard painter != .ascii, width >= DotRaster.thinWidth else { return nil }
        return min(width, DotRaster.greatestWidth) / 2
    }

    private static func draw(from start: DotPoint, to end: DotPoint, radius: Double?, shape: RasterShape, plotter: DotPlotter) {
        if let radius {
            drawThick(from: start, to: end, radius: radius, shape: shape, plotter: plotter)
            return
        }
        guard let walk = LineWalk(from: start, to: end, columns: shape.columns, rows: shape.rows) else { return }
        if shape.painter == .ascii {
            walk.forEach { plotter.mark($0, $1, $2) }
        } else {
            walk.forEach { x, y, _ in plotter.plot(x, y) }
        }
    }

    private static func drawThick(from start: DotPoint, to end: DotPoint, radius: Double, shape: RasterShape, plotter: DotPlotter) {
        let box = ClipBox(columns: shape.columns, rows: shape.rows, margin: radius + 2)
        guard let range = box.range(from: start, to: end) else { return }
        let from = start.moved(towards: end, by: range.enter)
        let to = start.moved(towards: end, by: range.leave)
        let line = ThickLine(from: from, to: to, radius: radius)
        let top = max(0, (min(from.y, to.y) - radius).rounded(.down))
        let bottom = min(Double(shape.rows) - 1, (max(from.y, to.y) + radius).rounded(.up))
        guard top <= bottom else { return }
        for y in Int(top)...Int(bottom) {
            guard let extent = line.extent(at: Double(y) + 0.5) else { continue }
            let left = max(0, (extent.left - 0.5).rounded(.up))
            let right = min(Double(shape.columns), (extent.right - 0.5).rounded(.up))
            guard left < right else { continue }
            for x in Int(left)..<Int(right) { plotter.plot(x, y) }
        }
    }
}

/// A dash pattern, and the position in it at which a segment starts.
private struct DashState {
    let pattern: DashPattern
    /// The distance from the start of the pattern to the start of the segment, in dots.
    let distance: Double
}

extension DotRaster {
    private static func draw(
        from start: DotPoint, to end: DotPoint, radius: Double?, dash: DashState, shape: RasterShape, plotter: DotPlotter
    ) {
        if let radius {
            drawThick(from: start, to: end, radius: radius, dash: dash, shape: shape, plotter: plotter)
            return
        }
        guard let walk = LineWalk(from: start, to: end, columns: shape.columns, rows: shape.rows) else { return }
        let pattern = dash.pattern
        var place = pattern.place(dash.distance + walk.distanceAtFirst)
        walk.forEach { x, y, direction in
            if pattern.part(at: place) & 1 == 0 {
                if shape.painter == .ascii { plotter.mark(x, y, direction) } else { plotter.plot(x, y) }
            }
            place += walk.distanceStep
            if place >= pattern.period || place < 0 { place = pattern.place(place) }
        }
    }

    /// Draws the dashes of a thick line. Each dash is shortened by the length of its round ends, so that the gaps keep their length.
    private static func drawThick(
        from start: DotPoint, to end: DotPoint, radius: Double, dash: DashState, shape: RasterShape, plotter: DotPlotter
    ) {
        let length = LineWalk.length(from: start, to: end)
        let box = ClipBox(columns: shape.columns, rows: shape.rows, margin: radius + 2)
        guard length > 0, let range = box.range(from: start, to: end) else { return }
        let pattern = dash.pattern
        let place = pattern.place(dash.distance + range.enter * length)
        var part = pattern.part(at: place)
        var partStart = range.enter * length - place + (part > 0 ? pattern.ends[part - 1] : 0)
        let visibleEnd = range.leave * length
        while partStart < visibleEnd {
            let partLength = pattern.ends[part] - (part > 0 ? pattern.ends[part - 1] : 0)
            if part & 1 == 0 {
                let shortening = min(radius, partLength / 2)
                let from = max(partStart + shortening, 0) / length
                let to = min(partStart + partLength - shortening, length) / length
                if from <= to {
                    drawThick(
                        from: start.moved(towards: end, by: from), to: start.moved(towards: end, by: to), radius: radius, shape: shape,
                        plotter: plotter)
                }
            }
            partStart += partLength
            part = (part + 1) % pattern.ends.count
        }
    }
}

extension DotPoint {
    /// Returns the point at a fraction of the way to another point.
    @inlinable
    public func moved(towards other: DotPoint, by fraction: Double) -> DotPoint {
        DotPoint(x: x + (other.x - x) * fraction, y: y + (other.y - y) * fraction)
    }
}
