import Geo
import Glibc

/// Makes lines follow great circles of the sphere.
enum GreatCircle {
    /// Maximum length of a segment, in degrees of arc. Longer segments get additional points.
    private static let stepDegrees = 1.0

    /// Returns the line with additional points, so that each of its segments follows a great circle.
    static func densified(_ line: [Coordinate]) -> [Coordinate] {
        guard let first = line.first else { return [] }
        var result = [first]
        for (start, end) in zip(line, line.dropFirst()) {
            append(from: start, to: end, into: &result)
            result.append(end)
        }
        return result
    }

    /// Appends points by spherical linear interpolation of the unit vectors (K. Shoemake, SIGGRAPH 1985).
    private static func append(from start: Coordinate, to end: Coordinate, into result: inout [Coordinate]) {
        let (a, b) = (vector(start), vector(end))
        let cosine = min(1, max(-1, a.x * b.x + a.y * b.y + a.z * b.z))
        let angle = acos(cosine)
        let steps = Int((angle / (stepDegrees * .pi / 180)).rounded(.up))
        let sine = sin(angle)
        // Antipodal points have no single shortest arc, so the line stays straight on the map.
        guard steps > 1, sine > 1e-9 else { return }
        for step in 1..<steps {
            let share = Double(step) / Double(steps)
            let (p, q) = (sin((1 - share) * angle) / sine, sin(share * angle) / sine)
            let (x, y, z) = (p * a.x + q * b.x, p * a.y + q * b.y, p * a.z + q * b.z)
            let latitude = atan2(z, (x * x + y * y).squareRoot()) * 180 / .pi
            result.append(Coordinate(latitude: latitude, longitude: atan2(y, x) * 180 / .pi))
        }
    }

    private static func vector(_ coordinate: Coordinate) -> (x: Double, y: Double, z: Double) {
        let (latitude, longitude) = (coordinate.latitude * .pi / 180, coordinate.longitude * .pi / 180)
        return (cos(latitude) * cos(longitude), cos(latitude) * sin(longitude), sin(latitude))
    }
}
