import TerminalCanvas
import VectorTiles

extension BasePainter {
    /// Paints water, parks, buildings and, at close zooms, the surfaces of roads into the plane.
    mutating func drawGround(_ views: [TileView], _ pass: MapPass) {
        for mapClass in MapClass.allCases where mapClass <= .building {
            guard let look = pass.style[area: mapClass], pass.camera.zoom >= look.minimumZoom else { continue }
            for view in views { drawAreas(mapClass, of: view) }
        }
        for mapClass in MapClass.allCases where mapClass.isWaterway {
            guard let look = pass.style[line: mapClass], look.waterDots > 0, pass.camera.zoom >= look.minimumZoom else { continue }
            let radius = look.waterDots / 2
            for view in views { paintLines(mapClass, radius: radius, number: MapClass.water.sampleNumber, of: view) }
        }
        guard pass.hasSurfaces else { return }
        for mapClass in MapClass.allCases where mapClass.isRoad {
            guard let look = pass.style[line: mapClass], look.surfaceMeters > 0, pass.shows(mapClass, look) else { continue }
            for view in views {
                let radius = look.surfaceMeters / view.metersPerColumn * Double(AreaPlane.samplesAcross) / 2
                paintLines(mapClass, radius: radius, number: mapClass.sampleNumber, of: view)
            }
        }
    }

    private mutating func drawAreas(_ mapClass: MapClass, of view: TileView) {
        let tile = view.tile
        plane.clip(to: view.clip)
        for feature in tile.features(of: mapClass) where tile.kinds[feature] == .polygon && view.showsArea(tile.bounds[feature]) {
            for part in tile.parts(of: feature) {
                let vertices = tile.vertices(ofPart: part)
                guard let last = vertices.last else { continue }
                var previous = view.samples.point(x: tile.coordinates[2 * last], y: tile.coordinates[2 * last + 1])
                for vertex in vertices {
                    let next = view.samples.point(x: tile.coordinates[2 * vertex], y: tile.coordinates[2 * vertex + 1])
                    plane.addEdge(fromX: previous.x, y: previous.y, toX: next.x, y: next.y)
                    previous = next
                }
            }
            plane.paintPolygon(mapClass.sampleNumber)
        }
        plane.clip(to: nil)
    }

    /// Paints lines at their real width, as areas. `radius` is in samples.
    private mutating func paintLines(_ mapClass: MapClass, radius: Double, number: UInt8, of view: TileView) {
        let tile = view.tile
        plane.clip(to: view.clip)
        for feature in tile.features(of: mapClass) where tile.kinds[feature] == .line && view.shows(tile.bounds[feature]) {
            guard tile.flags[feature].isDisjoint(with: [.labelOnly, .tunnel]) else { continue }
            let narrowing = tile.flags[feature].contains(.link) ? 0.6 : 1
            let radius = max(0.5, radius * narrowing)
            for part in tile.parts(of: feature) {
                var previous: DotPoint?
                for vertex in tile.vertices(ofPart: part) {
                    let next = view.samples.point(x: tile.coordinates[2 * vertex], y: tile.coordinates[2 * vertex + 1])
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
    /// The number of the class in an ``AreaPlane``.
    var sampleNumber: UInt8 { rawValue + 1 }

    /// Creates the class from its number in an ``AreaPlane``.
    init?(sampleNumber: UInt8) {
        guard sampleNumber > 0 else { return nil }
        self.init(rawValue: sampleNumber - 1)
    }
}

extension TileView {
    /// The part of the tile to draw, as a rectangle of samples; nil for the whole tile.
    fileprivate var clip: AreaPlane.Clip? {
        guard let share else { return nil }
        let (first, last) = (samples.point(x: share.minX, y: share.minY), samples.point(x: share.maxX, y: share.maxY))
        return AreaPlane.Clip(left: first.x, top: first.y, right: last.x, bottom: last.y)
    }
}
