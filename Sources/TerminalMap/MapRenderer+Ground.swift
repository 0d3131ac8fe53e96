import TerminalCanvas
import VectorTiles

extension MapRenderer {
    /// Paints water, parks, buildings and, from some zoom on, the surfaces of roads into the plane.
    func drawGround(_ views: [TileView], _ pass: MapPass) {
        for mapClass in MapClass.allCases where mapClass <= .building {
            guard let look = pass.style[area: mapClass], pass.camera.zoom >= look.minimumZoom else { continue }
            for view in views { drawAreas(mapClass, of: view, pass) }
        }
        for mapClass in MapClass.allCases where mapClass.isWaterway {
            guard let look = pass.style[line: mapClass], look.waterDots > 0, pass.camera.zoom >= look.minimumZoom else { continue }
            let radius = look.waterDots / 2
            for view in views { paintLines(mapClass, radius: radius, number: MapClass.water.sampleNumber, of: view, pass) }
        }
        guard pass.hasSurfaces else { return }
        let samplesPerMeter = Double(AreaPlane.samplesAcross) / pass.camera.metersPerColumn
        for mapClass in MapClass.allCases where mapClass.isRoad {
            guard let look = pass.style[line: mapClass], look.surfaceMeters > 0, pass.shows(mapClass, look) else { continue }
            let radius = look.surfaceMeters * samplesPerMeter / 2
            for view in views { paintLines(mapClass, radius: radius, number: mapClass.sampleNumber, of: view, pass) }
        }
    }

    private func drawAreas(_ mapClass: MapClass, of view: TileView, _ pass: MapPass) {
        let dots = pass.scene.painter.dotsPerCell
        let toSamplesX = Double(AreaPlane.samplesAcross) / Double(dots.columns)
        let toSamplesY = Double(AreaPlane.samplesDown) / Double(dots.rows)
        let tile = view.tile
        plane.clip(to: view.clip(sampleScaleX: toSamplesX, sampleScaleY: toSamplesY))
        for feature in tile.features(of: mapClass) where tile.kinds[feature] == .polygon && view.shows(tile.bounds[feature]) {
            for part in tile.parts(of: feature) {
                let vertices = tile.vertices(ofPart: part)
                guard let last = vertices.last else { continue }
                var previous = view.dot(x: tile.coordinates[2 * last], y: tile.coordinates[2 * last + 1])
                for vertex in vertices {
                    let next = view.dot(x: tile.coordinates[2 * vertex], y: tile.coordinates[2 * vertex + 1])
                    plane.addEdge(
                        fromX: previous.x * toSamplesX, y: previous.y * toSamplesY, toX: next.x * toSamplesX, y: next.y * toSamplesY)
                    previous = next
                }
            }
            plane.paintPolygon(mapClass.sampleNumber)
        }
        plane.clip(to: nil)
    }

    /// Paints lines as wide as they are on the ground; `radius` counts in samples.
    private func paintLines(_ mapClass: MapClass, radius: Double, number: UInt8, of view: TileView, _ pass: MapPass) {
        let dots = pass.scene.painter.dotsPerCell
        let toSamplesX = Double(AreaPlane.samplesAcross) / Double(dots.columns)
        let toSamplesY = Double(AreaPlane.samplesDown) / Double(dots.rows)
        let tile = view.tile
        plane.clip(to: view.clip(sampleScaleX: toSamplesX, sampleScaleY: toSamplesY))
        for feature in tile.features(of: mapClass) where tile.kinds[feature] == .line && view.shows(tile.bounds[feature]) {
            guard tile.flags[feature].isDisjoint(with: [.labelOnly, .tunnel]) else { continue }
            let narrowing = tile.flags[feature].contains(.link) ? 0.6 : 1
            let radius = max(0.5, radius * narrowing)
            for part in tile.parts(of: feature) {
                var previous: DotPoint?
                for vertex in tile.vertices(ofPart: part) {
                    let dot = view.dot(x: tile.coordinates[2 * vertex], y: tile.coordinates[2 * vertex + 1])
                    let next = DotPoint(x: dot.x * toSamplesX, y: dot.y * toSamplesY)
                    if let previous {
                        plane.paintLine(
                            fromX: previous.x, y: previous.y, toX: next.x, y: next.y, radius: radius, number: number)
                    }
                    previous = next
                }
            }
        }
        plane.clip(to: nil)
    }
}

extension MapClass {
    /// The class as a number in an ``AreaPlane``.
    var sampleNumber: UInt8 { rawValue + 1 }

    /// The class that a number in an ``AreaPlane`` stands for.
    init?(sampleNumber: UInt8) {
        guard sampleNumber > 0 else { return nil }
        self.init(rawValue: sampleNumber - 1)
    }
}

extension TileView {
    /// The tile's share as a rectangle of samples.
    func clip(sampleScaleX: Double, sampleScaleY: Double) -> AreaPlane.Clip? {
        guard let share else { return nil }
        let first = dot(x: share.minX, y: share.minY)
        let last = dot(x: share.maxX, y: share.maxY)
        return AreaPlane.Clip(
            left: first.x * sampleScaleX, top: first.y * sampleScaleY, right: last.x * sampleScaleX, bottom: last.y * sampleScaleY)
    }
}
