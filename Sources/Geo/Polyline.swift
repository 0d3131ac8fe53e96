/// A line through coordinates, with the distance from its start to each coordinate, in metres.
///
/// Between two coordinates, the line is straight in latitude and longitude (the short way round), and distance increases evenly along that
/// line.
public struct Polyline: Hashable, Sendable {
    /// The coordinates of the line, all valid.
    public let coordinates: [Coordinate]
    /// Distance along the line to each coordinate, in metres. There is one entry per coordinate; the first is 0, and the entries never
    /// decrease.
    public let cumulativeMeters: [Double]

    /// Creates the line through `coordinates`. Invalid coordinates (not a number, out of range) are left out, so that every value stays
    /// finite.
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

    /// Creates a line from coordinates and their distances along it. Both arrays must have the same count.
    init(coordinates: [Coordinate], cumulativeMeters: [Double]) {
        self.coordinates = coordinates
        self.cumulativeMeters = cumulativeMeters
    }

    /// The length of the whole line, in metres; 0 for an empty line.
    @inlinable
    public var lengthMeters: Double { cumulativeMeters.last ?? 0 }

    /// Whether the line has no coordinates. A line of one coordinate is not empty, but has no length.
    @inlinable
    public var isEmpty: Bool { coordinates.isEmpty }

    /// The box around the line; nil for an empty line.
    public var boundingBox: BoundingBox? { BoundingBox(coordinates) }

    /// Whether two lines have the same coordinates.
    public static func == (left: Polyline, right: Polyline) -> Bool {
        left.coordinates == right.coordinates
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(coordinates)
    }

    /// Returns this line, a straight segment to the start of `other`, and `other`, as one line. If both lines share the coordinate
    /// where they meet, it is kept twice.
    public func appending(_ other: Polyline) -> Polyline {
        guard let last = coordinates.last else { return other }
        guard let first = other.coordinates.first else { return self }
        let base = lengthMeters + last.distanceMeters(to: first)
        return Polyline(
            coordinates: coordinates + other.coordinates,
            cumulativeMeters: cumulativeMeters + other.cumulativeMeters.map { base + $0 })
    }
}
