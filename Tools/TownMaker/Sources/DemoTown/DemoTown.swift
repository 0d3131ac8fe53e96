public import Geo

/// An invented town: an old town on a river, a ring road, avenues, suburbs, fields and woods. Streets, parks, woods and brooks have names.
///
/// The town is generated from a seed. The same seed always gives the same town. The town lies in the South Atlantic, about 650 km from the
/// nearest land, so that nothing in it can be mistaken for a real place. Traffic keeps to the right.
public struct DemoTown: Sendable {
    /// The seed of the town that is shown by default.
    public static let defaultSeed: UInt64 = 1

    /// The position of the market square of every town: in the open sea between Tristan da Cunha and the coast of Brazil.
    public static let marketSquare = Coordinate(latitude: -36, longitude: -20)

    public let seed: UInt64
    public let name: String
    /// The market square.
    public let center: Coordinate
    /// The area of the map. Rivers, rails and avenues continue a short distance beyond it.
    public let bounds: BoundingBox
    /// All features to draw, in no particular order.
    public let features: [Feature]
    public let roads: RoadGraph
    /// Places at which trips can start and end, spread over the town.
    public let landmarks: [Landmark]

    public init(seed: UInt64 = DemoTown.defaultSeed) {
        let projection = TownProjection(center: Self.marketSquare)
        let draft = TownDraft(seed: seed)
        let box = draft.plan.frame.box
        let (low, high) = (projection.coordinate(of: box.minimum), projection.coordinate(of: box.maximum))
        self.seed = seed
        name = draft.names.town
        center = Self.marketSquare
        bounds = BoundingBox(south: low.latitude, west: low.longitude, north: high.latitude, east: high.longitude)
        let roads = RoadGraph(draft: draft, projection: projection)
        landmarks = LandmarkFinder(draft: draft, roads: roads, projection: projection).landmarks
        features = FeatureMaker(draft: draft, landmarks: landmarks, projection: projection).features
        self.roads = roads
    }

    /// Returns the place with this name: a landmark, or the middle of a named feature such as a quarter, a park or a street. Case is
    /// ignored. Nil for an unknown name.
    public func place(named name: String) -> Coordinate? {
        let wanted = name.lowercased()
        if let landmark = landmarks.first(where: { $0.name.lowercased() == wanted }) { return landmark.coordinate }
        let named = features.filter { $0.name?.lowercased() == wanted }
        guard let feature = named.first(where: { $0.kind == .place }) ?? named.first else { return nil }
        switch feature.geometry {
        case .point(let coordinate): return coordinate
        case .line(let line):
            let polyline = Polyline(line)
            return polyline.coordinate(atMeters: polyline.lengthMeters / 2)
        case .polygon(let rings): return rings.first.flatMap { BoundingBox($0)?.center }
        }
    }
}
