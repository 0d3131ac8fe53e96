import TerminalCanvas
import VectorTiles

/// Paints blocks of a base map. A block looks the same as it would if the whole map were painted.
///
/// Areas are painted into a plane of samples, and lines into a raster of dots, in which every cell belongs to its strongest line. Then the
/// raster is laid over the plane. Each block is painted with a margin of one cell, since the look of a cell depends on its neighbours.
struct BasePainter {
    var plane = AreaPlane()
    var raster = DotRaster(size: .zero, painter: .braille)
    var points: [DotPoint] = []
    /// The work that is still allowed in this frame.
    var effort = DrawingEffort()

    /// Whether parts of the map were left out because the allowed work was used up.
    var isSpent: Bool { plane.isSpent || effort.lines <= 0 }

    mutating func paint(_ part: Rectangle, of layer: inout BaseLayer, _ choice: TileChoice, _ view: MapPass) {
        let window = Rectangle(column: part.column - 1, row: part.row - 1, columns: part.columns + 2, rows: part.rows + 2)
        let pass = MapPass(
            scene: view.scene, camera: view.camera, viewport: Viewport(window, of: view.viewport), area: Rectangle(window.size))
        plane.prepare(window.size, effort: effort.areas)
        raster.prepare(window.size, painter: pass.scene.painter)
        if choice.placed.isEmpty {
            drawGrid(pass)
        } else {
            let views = choice.placed.map { pass.viewport.view(of: $0, widestMeters: pass.widestMeters) }
            drawGround(views, pass)
            drawLines(views, pass)
            drawPatterns(pass)
        }
        drawOverlay(pass)
        layer.canvas.fill(part, with: Cell(glyph: .space, style: Style(background: pass.background)))
        raster.paint(into: &layer.canvas, at: window.origin, within: part)
        layGround(pass, under: part, of: &layer)
    }

    /// Adds the colours of the areas under the dots that are already on the layer.
    private func layGround(_ pass: MapPass, under part: Rectangle, of layer: inout BaseLayer) {
        let (plane, look, background) = (plane, GroundLook(pass), pass.background)
        for row in part.row..<part.endRow {
            for column in part.column..<part.endColumn {
                let samples = plane.samples(column: column - part.column + 1, row: row - part.row + 1)
                var cell = layer.canvas[column, row]
                let isDrawn = cell.glyph != .space
                layer.set(column: column, row: row, samples: samples, isDrawn: isDrawn)
                if look.isPlain(samples) && (!isDrawn || cell.style.background == background) { continue }
                if isDrawn {
                    cell.style.background = look.underLine(samples)
                } else {
                    cell = look.cell(samples)
                }
                layer.canvas[column, row] = cell
            }
        }
    }
}
