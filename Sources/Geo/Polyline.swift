/// A line through coordinates, with the metres from its start to each of them.
///
/// Between two coordinates the line is straight in latitude and longitude (the short way round), and metres are spread evenly over it.
public struct Polyline: Hashable, Sendable {
    /// The coordinates of the line, all valid.
    public let coordinates: [Coordinate]
    /// Metres along the line to each coordinate, one entry per coordinate, starting at 0 and never decreasing.
    public let cumulativeMeters: [Double]

    /// The line through `coordinates`. Only invalid ones (not a number, out of range) are left out, so that every value stays finite.
    public init(_ coordinates: [Coordinate]) {
        let valid = coordinates.allSatisfy(\.isValid) ? coordinates : coordinates.filter(\.isValid)
        var cumulative: [Double] = []
        cumulative.reserveCapacity(valid.count)
        var total = 0.0
        var previous: Coordinate?
        for coordinate in valid {
            if let previous { total += previous.distanceMeters(to: coordinate) }
            cumulative.append(total)
            previous = coordinate
        }
        self.init(coordinates: valid, cumulativeMeters: cumulative)
    }

    /// Creates a part of a line with known metres. Both arrays must have the same count.
    init(coordinates: [Coordinate], cumulativeMeters: [Double]) {
        self.coordinates = coordinates
        self.cumulativeMeters = cumulativeMeters
    }

    /// The length of the whole line in metres; 0 for an empty one.
    @inlinable
    public var lengthMeters: Double { cumulativeMeters.last ?? 0 }

    /// Whether the line has no coordinates. A line of one coordinate is not empty, but has no length.
    @inlinable
    public var isEmpty: Bool { coordinates.isEmpty }

    /// The box around the line; nil for an empty one.
    public var boundingBox: BoundingBox? { BoundingBox(coordinates) }

    /// Two lines are equal if they run through the same coordinates.
    public static func == (left: Polyline, right: Polyline) -> Bool {
        left.coordinates == right.coordinates
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(coordinates)
    }

    /// This line, a straight segment from its end to the start of `other`, and `other`. All coordinates of both are kept, even equal ones
    /// at the joint.
    public func appending(_ other: Polyline) -> Polyline {
        guard let last = coordinates.last else { return other }
        guard let first = other.coordinates.first else { return self }
        let base = lengthMeters + last.distanceMeters(to: first)
        return Polyline(
            coordinates: coordinates + other.coordinates,
            cumulativeMeters: cumulativeMeters + other.cumulativeMeters.map { base + $0 })
    }
}
