import Geo

/// The use of one block. A block is an area that streets enclose.
struct LandUse: Sendable {
    enum Purpose: Sendable, Equatable {
        case cityPark, park, cemetery, hospital, university, stadium, sports, square, minster, wallGarden

        /// Whether a service road leads from the street into the block.
        var hasDrive: Bool { self == .hospital || self == .university || self == .stadium || self == .sports }
    }

    var purpose: Purpose
    /// A point inside the block. It identifies the block after streets have been removed.
    var anchor: Vector2
}

/// Chooses the blocks for parks and public grounds. Joins neighbouring blocks if a park or a public building needs more space.
struct LandPlanner {
    private(set) var graph: StreetGraph
    private(set) var uses: [LandUse] = []
    private let plan: TownPlan
    private let zones: StreetZones
    private var random: SeededRandom

    private var faces: [StreetFace] = []
    private var faceOfHalf: [Int] = []
    private var centroids: [Vector2] = []
    private var isTaken: [Bool] = []

    init(graph: StreetGraph, plan: TownPlan, zones: StreetZones) {
        self.graph = graph
        self.plan = plan
        self.zones = zones
        random = plan.frame.random(for: .land)
        (faces, faceOfHalf) = self.graph.faces()
        centroids = faces.map(\.centroid)
        isTaken = faces.map { $0.area <= 0 || $0.area > 400_000 }
        reserveWetFaces()
        chooseWallGardens()
        chooseSquares()
        chooseGrounds()
        chooseNeighbourhoodParks()
        self.graph.removeDeadEnds { _, length in length > 40 }
    }

    /// Marks a block as taken if its middle is in the river or the harbour, or on the tracks. Such a block cannot be a park. A block whose
    /// middle is in the lake stays free, for a park round the lake.
    private mutating func reserveWetFaces() {
        for face in faces.indices where !isTaken[face] && plan.obstacles.distance.value(at: centroids[face]) < 0 {
            isTaken[face] = plan.water.lake.map { $0.shoreDistance(centroids[face]) > 0 } ?? true
        }
    }

    /// Chooses the blocks of the green belt, which lies on the site of the town's old defences.
    private mutating func chooseWallGardens() {
        for face in faces.indices where !isTaken[face] {
            let beyond = plan.oldTown.distanceFromWall(centroids[face])
            guard beyond > 8, beyond < OldTown.beltWidth, faces[face].thickness > 22 else { continue }
            guard faces[face].area / faces[face].perimeter < OldTown.beltWidth * 0.55, touches(face, .wall) else { continue }
            isTaken[face] = true
            uses.append(LandUse(purpose: .wallGarden, anchor: anchor(of: face)))
        }
    }

    private func touches(_ face: Int, _ role: PlannedRoad.Role) -> Bool {
        faces[face].halves.contains { graph.edges[$0 / 2].role == role }
    }

    private mutating func chooseSquares() {
        if let market = nearestFace(to: .zero, areas: 2000...30000) {
            isTaken[market] = true
            uses.append(LandUse(purpose: .square, anchor: anchor(of: market)))
        }
        if let minster = nearestFace(to: plan.frame.townSide * 150, areas: 2600...9000) { claim(minster, purpose: .minster, target: 3500) }
        for _ in 0..<3 {
            let wanted = Vector2(angle: random.double(in: 0...2 * Double.pi)) * random.double(in: 200...330)
            guard let face = nearestFace(to: wanted, areas: 900...2600), centroids[face].distance(to: wanted) < 160 else { continue }
            isTaken[face] = true
            uses.append(LandUse(purpose: .square, anchor: anchor(of: face)))
        }
    }

    private mutating func chooseGrounds() {
        let ring = plan.frame.ringRadius
        if let lake = plan.water.lake, let face = nearestFace(to: lake.center, areas: 20_000...380_000) {
            claim(face, purpose: .cityPark, target: max(190_000, faces[face].area))
        }
        let turn = random.double(in: 0...2 * Double.pi)
        let wishes = [
            Wish(purpose: .university, share: 0.52, turn: 0, target: 62_000),
            Wish(purpose: .hospital, share: 0.72, turn: 2.2, target: 52_000),
            Wish(purpose: .cemetery, share: 0.9, turn: 4.1, target: 48_000),
            Wish(purpose: .stadium, share: 0.86, turn: 1.1, target: 42_000),
            Wish(purpose: .sports, share: 1.14, turn: 3, target: 34_000), Wish(purpose: .sports, share: 1.2, turn: 5.3, target: 30_000),
            Wish(purpose: .cityPark, share: 0.62, turn: 3.3, target: 90_000),
        ]
        for wish in wishes {
            // If there is no space at this place, the next attempt looks farther round the town.
            for attempt in 0..<8 {
                let angle = turn + wish.turn + Double(attempt) * 0.7 + random.double(in: -0.2...0.2)
                let place = Vector2(angle: angle) * (ring * wish.share * plan.frame.stretch(towards: angle))
                if claim(near: place, purpose: wish.purpose, target: wish.target, reach: 300) { break }
            }
        }
    }

    /// A wanted public area, such as a park. `share` is its distance from the market, as a fraction of the distance to the ring road.
    /// `turn` is its direction, in radians from a random direction that is the same for all areas. `target` is its size in square metres.
    private struct Wish {
        var purpose: LandUse.Purpose
        var share: Double
        var turn: Double
        var target: Double
    }

    private mutating func chooseNeighbourhoodParks() {
        for step in 0..<14 {
            let angle = Double(step) * 2.399963 + random.double(in: -0.2...0.2)
            let radius = 620 + 1750 * (Double(step) / 13)
            claim(
                near: Vector2(angle: angle) * (radius * plan.frame.stretch(towards: angle)), purpose: .park,
                target: random.double(in: 8000...26000), reach: 190)
        }
    }

    // MARK: Claiming

    private func nearestFace(to point: Vector2, areas: ClosedRange<Double>) -> Int? {
        let candidates = faces.indices.filter { !isTaken[$0] && areas.contains(faces[$0].area) && faces[$0].thickness > 10 }
        return candidates.min { centroids[$0].distance(to: point) < centroids[$1].distance(to: point) }
    }

    @discardableResult
    private mutating func claim(near point: Vector2, purpose: LandUse.Purpose, target: Double, reach: Double) -> Bool {
        guard let face = nearestFace(to: point, areas: 1000...target * 2), centroids[face].distance(to: point) < reach else { return false }
        guard zones.zone(at: centroids[face]) != .open || purpose == .cityPark else { return false }
        claim(face, purpose: purpose, target: target)
        return true
    }

    /// Takes a block and its nearest neighbours until the area is large enough. The ordinary streets between these blocks are removed.
    private mutating func claim(_ first: Int, purpose: LandUse.Purpose, target: Double) {
        var taken = [first]
        var area = faces[first].area
        isTaken[first] = true
        while area < target * 0.85, let next = neighbour(of: taken, center: centroids[first], room: target * 1.4 - area) {
            taken.append(next)
            isTaken[next] = true
            area += faces[next].area
        }
        uses.append(LandUse(purpose: purpose, anchor: anchor(of: first)))
        for half in taken.flatMap({ faces[$0].halves }) where taken.contains(faceOfHalf[half]) && taken.contains(faceOfHalf[half ^ 1]) {
            if graph.edges[half / 2].isRemovable { graph.remove(half / 2) }
        }
    }

    private func neighbour(of taken: [Int], center: Vector2, room: Double) -> Int? {
        var best: (face: Int, distance: Double)?
        for face in taken {
            for half in faces[face].halves where graph.edges[half / 2].isRemovable {
                let other = faceOfHalf[half ^ 1]
                guard other >= 0, !isTaken[other], faces[other].area > 0, faces[other].area < room else { continue }
                let distance = centroids[other].distance(to: center)
                if distance < best?.distance ?? .infinity { best = (other, distance) }
            }
        }
        return best?.face
    }

    /// Returns a point inside a block: the centre of gravity or, if that is outside, a point beside the longest side.
    private func anchor(of face: Int) -> Vector2 {
        if Line.contains(graph.outline(of: faces[face]), centroids[face]) { return centroids[face] }
        let half = faces[face].halves.max { graph.edges[$0 / 2].length < graph.edges[$1 / 2].length } ?? 0
        let points = graph.points(of: half)
        let middle = max(points.count / 2, 1)
        let (start, end) = (points[middle - 1], points[middle])
        return start.interpolated(to: end, fraction: 0.5) + (end - start).normalized.left * 6
    }
}
