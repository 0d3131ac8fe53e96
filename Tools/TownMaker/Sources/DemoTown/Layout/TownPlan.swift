import Geo

/// The main structure of a town: the water, the rails, and all planned roads.
struct TownPlan: Sendable {
    let frame: TownFrame
    let water: WaterMap
    let railway: Railway
    let obstacles: ObstacleMap
    let oldTown: OldTown
    let avenues: Avenues
    let roads: [PlannedRoad]

    init(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        frame = TownFrame(seed: seed, random: &random)
        water = WaterMap(frame: frame)
        railway = Railway(frame: frame, water: water)
        obstacles = railway.obstacles(water: water)
        oldTown = OldTown(frame: frame, obstacles: obstacles)
        avenues = Avenues(frame: frame, water: water, railway: railway, obstacles: obstacles, oldTown: oldTown)
        let square = oldTown.market + [oldTown.market[0]]
        let old = [
            PlannedRoad(points: Line.resampled(square, step: 13), roadClass: .residential, role: .market),
            PlannedRoad(points: Line.resampled(oldTown.wall, step: 14), roadClass: .residential, role: .wall),
            PlannedRoad(points: Line.resampled(oldTown.boulevard, step: 14), roadClass: .secondary, role: .boulevard),
        ]
        let quays = Quays.roads(frame: frame, water: water, obstacles: obstacles)
        // The quays come first, because the other roads end at them.
        roads = quays + old + avenues.roads + Self.stationStreets(railway: railway, oldTown: oldTown, obstacles: obstacles)
    }

    private static func stationStreets(railway: Railway, oldTown: OldTown, obstacles: ObstacleMap) -> [PlannedRoad] {
        let square = railway.forecourt
        let start = oldTown.wallPoint(towards: railway.stationAngle, beyond: OldTown.beltWidth)
        let front = [square - railway.direction * 230, square + railway.direction * 230]
        return [
            PlannedRoad(points: Line.resampled(front, step: 14), roadClass: .tertiary, role: .stationFront),
            PlannedRoad(points: Line.resampled([start, square], step: 14), roadClass: .tertiary, role: .stationRoad),
        ]
    }
}
