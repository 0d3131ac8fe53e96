import Geo

/// The projection from the town's plane to the globe. Coordinates are rounded to 1e-7 degrees (about a centimetre), so that rounding errors
/// of a computation never show.
struct TownProjection: Sendable {
    let center: Coordinate
    private let frame: LocalFrame

    init(center: Coordinate) {
        self.center = center
        frame = LocalFrame(latitude: center.latitude)
    }

    func coordinate(of point: Vector2) -> Coordinate {
        Coordinate(
            latitude: rounded(center.latitude + point.y / frame.metersPerDegreeLatitude),
            longitude: rounded(center.longitude + point.x / frame.metersPerDegreeLongitude))
    }

    func coordinates(of points: [Vector2]) -> [Coordinate] { points.map(coordinate(of:)) }

    func point(of coordinate: Coordinate) -> Vector2 {
        let offset = frame.offsetMeters(from: center, to: coordinate)
        return Vector2(x: offset.east, y: offset.north)
    }

    private func rounded(_ degrees: Double) -> Double { (degrees * 1e7).rounded() / 1e7 }
}
