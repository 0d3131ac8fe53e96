import TerminalCanvas
import VectorTiles

extension BasePainter {
    /// Draws textures and outlines of areas into the raster. An area with a background colour has them only if its style says so.
    mutating func drawPatterns(_ pass: MapPass) {
        let looks = pass.groundPatterns
        guard looks.contains(where: { $0 != nil }) else { return }
        if pass.isASCII {
            drawMarks(looks, pass)
            return
        }
        let dots = pass.scene.painter.dotsPerCell
        let toDotsX = Double(dots.columns) / Double(AreaPlane.samplesAcross)
        let toDotsY = Double(dots.rows) / Double(AreaPlane.samplesDown)
        let origin = pass.viewport.origin
        // Half blocks are too large for textures. With them, only water gets a pattern: a wide lattice.
        let isCoarse = pass.scene.painter == .halfBlock
        // The textures keep their geographic positions when the map moves. They repeat every eight samples.
        let shiftX = Int((origin.column * Double(AreaPlane.samplesAcross)).truncatingRemainder(dividingBy: 8))
        let shiftY = Int((origin.row * Double(AreaPlane.samplesDown)).truncatingRemainder(dividingBy: 8))
        let plane = plane
        for y in 0..<plane.rows {
            for x in 0..<plane.columns {
                let number = plane.samples[y * plane.columns + x]
                guard number != AreaPlane.nothing, let look = looks[Int(number)] else { continue }
                let isEdge = look.group > 0 && isEdge(x, y, group: look.group, looks: looks)
                guard isEdge || look.hasTexture(x + shiftX, y + shiftY, isCoarse: isCoarse) else { continue }
                let ink = Ink(priority: isEdge ? DrawOrder.outline : DrawOrder.texture, style: Style(foreground: look.color))
                raster.plot(DotPoint(x: (Double(x) + 0.5) * toDotsX, y: (Double(y) + 0.5) * toDotsY), ink: ink)
            }
        }
    }

    /// Whether one of the sample's neighbours in the view has a lower group than `group`.
    private func isEdge(_ x: Int, _ y: Int, group: UInt8, looks: [GroundPattern?]) -> Bool {
        func isOther(_ x: Int, _ y: Int) -> Bool {
            guard x >= 0, y >= 0, x < plane.columns, y < plane.rows else { return false }
            return looks[Int(plane.samples[y * plane.columns + x])]?.group ?? 0 < group
        }
        return isOther(x - 1, y) || isOther(x + 1, y) || isOther(x, y - 1) || isOther(x, y + 1)
    }

    /// Draws areas for the ASCII painter: writes a character in some cells of each area. In water, more cells get a character than in other
    /// areas.
    private mutating func drawMarks(_ looks: [GroundPattern?], _ pass: MapPass) {
        let origin = pass.viewport.origin
        let shift = Int((origin.column + 2 * origin.row).truncatingRemainder(dividingBy: 4))
        for row in 0..<pass.area.rows {
            for column in 0..<pass.area.columns {
                let place = (column + 2 * row + shift) & 3
                guard place & 1 == 0, let look = looks[Int(commonSample(column, row))], let mark = look.asciiMark,
                    place == 0 || look.group == GroundPattern.waterGroup
                else { continue }
                let ink = Ink(priority: DrawOrder.texture, style: Style(foreground: look.color), asciiMark: mark)
                raster.plot(DotPoint(x: Double(column), y: Double(row)), ink: ink)
            }
        }
    }

    /// Returns the most common number among a cell's samples; the highest number if several are equally common.
    private func commonSample(_ column: Int, _ row: Int) -> UInt8 {
        let samples = plane.samples(column: column, row: row)
        func sample(_ index: Int) -> UInt8 { UInt8(truncatingIfNeeded: samples >> UInt64(index * 8)) }
        if AreaPlane.isUniform(samples) { return sample(0) }
        var best: (number: UInt8, count: Int) = (AreaPlane.nothing, 0)
        for index in 0..<8 {
            let number = sample(index)
            let count = (0..<8).count { sample($0) == number }
            if count > best.count || count == best.count && number > best.number { best = (number, count) }
        }
        return best.number
    }
}

/// The pattern of all samples that have the same number.
struct GroundPattern {
    static let waterGroup: UInt8 = 1

    var texture: DotTexture?
    /// An area has an edge where it meets an area of a lower group. Areas of group 0 have no edges.
    var group: UInt8
    var asciiMark: Unicode.Scalar?
    var color: Color

    /// Whether the texture has a dot at a sample. `x` and `y` count from a position that is fixed on the map.
    func hasTexture(_ x: Int, _ y: Int, isCoarse: Bool) -> Bool {
        guard let texture else { return false }
        if isCoarse { return group == Self.waterGroup && x & 7 == 0 && y & 7 == 0 }
        return texture.covers(x, y)
    }
}

extension MapPass {
    /// The pattern for each area number in an ``AreaPlane``. The area number is the index; nil if an area has no pattern.
    var groundPatterns: [GroundPattern?] {
        var patterns = [GroundPattern?](repeating: nil, count: 256)
        for mapClass in MapClass.allCases {
            let index = Int(mapClass.sampleNumber)
            let isFilled = scene.fills.contains(mapClass)
            if mapClass <= .building {
                guard let area = style[area: mapClass] else { continue }
                let look = area.pattern
                // Edges in the terminal's own colour would hide the names.
                let hasWalls = camera.zoom >= area.outlineZoom && !isPlain && look.color != .default
                guard !isFilled || area.isTextured || hasWalls else { continue }
                let texture = look.color == .default ? look.texture : look.coloredTexture ?? look.texture
                let group: UInt8 = !look.hasOutline && !hasWalls ? 0 : mapClass.isWaterArea ? GroundPattern.waterGroup : 2
                patterns[index] = GroundPattern(texture: texture, group: group, asciiMark: look.asciiMark, color: look.color)
            } else if !isFilled, let line = style[line: mapClass], line.surfaceMeters > 0 {
                patterns[index] = GroundPattern(texture: nil, group: 3, asciiMark: nil, color: line.color)
            }
        }
        return patterns
    }
}
