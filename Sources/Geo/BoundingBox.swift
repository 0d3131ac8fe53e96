/// A rectangle of latitudes and longitudes, in degrees.
///
/// `west` is in -180...180, and `east` in `west`...`west + 360`. If the box crosses the antimeridian, `east` is more than 180.
@frozen
public struct BoundingBox: Hashable, Sendable {
    /// The southern edge, degrees of latitude, -90...90.
    public let south: Double
    /// The western edge, degrees of longitude, -180...180.
    public let west: Double
    /// The northern edge, degrees of latitude, `south`...90.
    public let north: Double
    /// The eastern edge, degrees of longitude; beyond 180 if the box crosses the antimeridian.
    public let east: Double

    /// Creates the box between four edges. Latitudes are clamped to -90...90 and put in order. `west` is wrapped into -180...180, and
    /// `east` is moved with it. An `east` below `west` means a box that crosses the antimeridian. An edge that is not finite counts as 0.
    public init(south: Double, west: Double, north: Double, east: Double) {
        let (bottom, top) = (Self.finiteLatitude(south), Self.finiteLatitude(north))
        self.south = min(bottom, top)
        self.north = max(bottom, top)
        if west >= -180, west <= 180, east >= west, east - west <= 360 {
            (self.west, self.east) = (west, east)
        } else {
            let left = west.isFinite ? west : 0
            let width = Self.eastwardDegrees(from: left, to: east.isFinite ? east : 0)
            self.west = Coordinate.wrappedLongitude(left)
            self.east = self.west + width
        }
    }

    /// Creates the smallest box around the valid coordinates; nil if no coordinate is valid. The box crosses the antimeridian if that makes
    /// it narrower.
    public init?(_ coordinates: some Sequence<Coordinate>) {
        var (south, north) = (Double.infinity, -Double.infinity)
        var longitudes: [Double] = []
        longitudes.reserveCapacity(coordinates.underestimatedCount)
        for coordinate in coordinates where coordinate.isValid {
            south = min(south, coordinate.latitude)
            north = max(north, coordinate.latitude)
            longitudes.append(coordinate.longitude)
        }
        guard let span = Self.narrowestSpan(&longitudes) else { return nil }
        self.init(south: south, west: span.west, north: north, east: span.east)
    }

    /// Width in degrees from west to east, 0...360.
    @inlinable
    public var longitudeSpan: Double { east - west }

    /// Height in degrees from south to north, 0...180.
    @inlinable
    public var latitudeSpan: Double { north - south }

    /// The centre, in degrees; its longitude is wrapped into -180...180.
    @inlinable
    public var center: Coordinate {
        Coordinate(latitude: (south + north) / 2, longitude: Coordinate.wrappedLongitude((west + east) / 2))
    }

    /// Whether `coordinate` lies inside or on an edge.
    @inlinable
    public func contains(_ coordinate: Coordinate) -> Bool {
        guard coordinate.latitude >= south, coordinate.latitude <= north else { return false }
        return (coordinate.longitude >= west && coordinate.longitude <= east)
            || (coordinate.longitude + 360 >= west && coordinate.longitude + 360 <= east)
            || (coordinate.longitude - 360 >= west && coordinate.longitude - 360 <= east)
    }

    /// Returns the narrowest box around both boxes.
    public func union(_ other: BoundingBox) -> BoundingBox {
        var best = (west: -180.0, east: 180.0)
        for (shift, otherShift) in [(0.0, 0.0), (360, 0), (0, 360)] {
            let candidate = (west: min(west + shift, other.west + otherShift), east: max(east + shift, other.east + otherShift))
            if candidate.west <= 180, candidate.east - candidate.west < best.east - best.west { best = candidate }
        }
        return BoundingBox(
            south: min(south, other.south), west: best.west, north: max(north, other.north), east: best.east)
    }

    /// Returns the box extended by `meters` on every side. A negative number shrinks the box, at most to its centre.
    public func padded(byMeters meters: Double) -> BoundingBox {
        guard meters.isFinite else { return self }
        let frame = LocalFrame(latitude: max(abs(south), abs(north)))
        let eastDegrees = frame.metersPerDegreeLongitude > 0 ? meters / frame.metersPerDegreeLongitude : 0
        return padded(latitudeDegrees: meters / frame.metersPerDegreeLatitude, longitudeDegrees: eastDegrees)
    }

    /// Returns the box extended on every side by this fraction of its height and width.
    public func padded(byFraction fraction: Double) -> BoundingBox {
        guard fraction.isFinite else { return self }
        return padded(latitudeDegrees: latitudeSpan * fraction, longitudeDegrees: longitudeSpan * fraction)
    }

    private func padded(latitudeDegrees: Double, longitudeDegrees: Double) -> BoundingBox {
        let vertical = max(latitudeDegrees, -latitudeSpan / 2)
        let horizontal = min(max(longitudeDegrees, -longitudeSpan / 2), (360 - longitudeSpan) / 2)
        return BoundingBox(south: south - vertical, west: west - horizontal, north: north + vertical, east: east + horizontal)
    }
}

extension BoundingBox {
    private static func finiteLatitude(_ degrees: Double) -> Double {
        degrees.isFinite ? Coordinate.clampedLatitude(degrees) : 0
    }

    /// Returns the degrees from one longitude eastward to another, 0...360. A difference of 360 or more counts as the whole circle.
    private static func eastwardDegrees(from west: Double, to east: Double) -> Double {
        let width = east - west
        guard width < 0 else { return min(360, width) }
        let remainder = width.truncatingRemainder(dividingBy: 360)
        return remainder < 0 ? remainder + 360 : 0
    }

    /// Returns the narrowest range that contains all longitudes: the circle without its widest gap. If the widest gap is 180° or more, it
    /// contains 0 or ±180, so it is found without sorting. Both ends of the range come from the list (the eastern end may be 360 more), so
    /// rounding leaves no coordinate outside.
    private static func narrowestSpan(_ longitudes: inout [Double]) -> (west: Double, east: Double)? {
        guard !longitudes.isEmpty else { return nil }
        var negative = (west: Double.infinity, east: -Double.infinity)
        var positive = negative
        for longitude in longitudes {
            if longitude < 0 {
                negative = (min(negative.west, longitude), max(negative.east, longitude))
            } else {
                positive = (min(positive.west, longitude), max(positive.east, longitude))
            }
        }
        if positive.west > positive.east { return negative }
        if negative.west > negative.east { return positive }
        let overZero = (west: negative.west, east: positive.east)
        let overAntimeridian = (west: positive.west, east: negative.east + 360)
        let best = overAntimeridian.east - overAntimeridian.west < overZero.east - overZero.west ? overAntimeridian : overZero
        guard best.east - best.west > 180 else { return best }
        longitudes.sort()
        var widest = (gap: overZero.west + 360 - overZero.east, west: overZero.west, east: overZero.east)
        for (before, after) in zip(longitudes, longitudes.dropFirst()) where after - before > widest.gap {
            widest = (after - before, after, before + 360)
        }
        return (widest.west, widest.east)
    }
}
