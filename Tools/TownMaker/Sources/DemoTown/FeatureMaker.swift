import Geo

/// Turns a town on the plane into map features.
struct FeatureMaker {
    private(set) var features: [DemoTown.Feature] = []
    let draft: TownDraft
    let projection: TownProjection

    init(draft: TownDraft, landmarks: [DemoTown.Landmark], projection: TownProjection) {
        self.draft = draft
        self.projection = projection
        addCountry()
        addBuiltUpAreas()
        addLands()
        addWater()
        addRailway(landmarks: landmarks)
        addStreets()
        addPaths()
        addBuildings()
        addPlaces(landmarks: landmarks)
    }

    mutating func add(
        _ kind: DemoTown.Kind, _ geometry: DemoTown.Feature.Geometry, name: String? = nil, isBridge: Bool = false, isOneWay: Bool = false,
        rank: Int = 0
    ) {
        features.append(.init(kind: kind, name: name, geometry: geometry, isBridge: isBridge, isOneWay: isOneWay, rank: rank))
    }

    mutating func addLine(
        _ kind: DemoTown.Kind, _ points: [Vector2], name: String? = nil, isBridge: Bool = false, isOneWay: Bool = false, rank: Int = 0
    ) {
        guard points.count > 1 else { return }
        add(kind, .line(projection.coordinates(of: points)), name: name, isBridge: isBridge, isOneWay: isOneWay, rank: rank)
    }

    mutating func addPolygon(_ kind: DemoTown.Kind, _ rings: [[Vector2]], name: String? = nil, rank: Int = 0) {
        let proper = rings.map { Self.withoutRepetition(projection.coordinates(of: $0)) }.filter { $0.count > 2 }
        guard !proper.isEmpty else { return }
        add(kind, .polygon(proper), name: name, rank: rank)
    }

    /// Returns the ring with each run of equal coordinates reduced to one. The first coordinate is not repeated at the end.
    private static func withoutRepetition(_ ring: [Coordinate]) -> [Coordinate] {
        var kept: [Coordinate] = []
        kept.reserveCapacity(ring.count)
        for coordinate in ring where coordinate != kept.last { kept.append(coordinate) }
        while kept.count > 1, kept.first == kept.last { kept.removeLast() }
        return kept
    }

    mutating func addPoint(_ kind: DemoTown.Kind, _ point: Vector2, name: String?, rank: Int = 0) {
        add(kind, .point(projection.coordinate(of: point)), name: name, rank: rank)
    }

    /// Returns contour lines as polygons: each outer ring with the holes inside it. Small rings are left out.
    static func polygons(_ contours: [[Vector2]], smallest: Double, smallestHole: Double, tolerance: Double) -> [[[Vector2]]] {
        let rings = contours.map { ring -> (ring: [Vector2], area: Double) in
            let simple = Line.simplified(Line.smoothed(ring, isClosed: true), tolerance: tolerance)
            return (simple, Line.signedArea(simple))
        }
        var polygons = rings.filter { $0.area > smallest }.map { [$0.ring] }
        for hole in rings where hole.area < -smallestHole {
            guard let place = polygons.indices.first(where: { Line.contains(polygons[$0][0], hole.ring[0]) }) else { continue }
            polygons[place].append(hole.ring)
        }
        return polygons
    }
}
