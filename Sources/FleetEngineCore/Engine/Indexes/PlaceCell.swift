import Geo
import Glibc

/// A cell of a grid on the globe, about two kilometres high and wide. The grid consists of bands along the parallels. Each band is divided
/// into cells. Bands near the poles have fewer cells.
package struct PlaceCell: Hashable, Sendable {
    private let band: Int32
    private let column: Int32

    /// The height of a band in degrees of latitude.
    private static let degrees = 0.02
    private static let bands = Int32(180 / degrees)
    /// Smallest radius of curvature of the ellipsoid, in metres. Distances on a sphere of this radius are never longer than on the
    /// ellipsoid.
    private static let radiusMeters = 6_335_000.0

    /// Creates the cell that contains a place; nil if the coordinate is invalid.
    init?(_ place: Coordinate) {
        guard place.isValid else { return nil }
        band = Self.band(place.latitude)
        column = Self.column(place.longitude, in: band)
    }

    private init(band: Int32, column: Int32) { (self.band, self.column) = (band, column) }

    /// Returns the cells that can contain places within `meters` of `centre`, nearest first. No place in a cell is nearer to `centre` than
    /// the distance that is returned with the cell. Empty for an invalid centre, and if `meters` is negative, or 100,000 or more.
    static func around(_ centre: Coordinate, meters: Double) -> [(cell: PlaceCell, meters: Double)] {
        guard centre.isValid, meters >= 0, meters < 100_000 else { return [] }
        // The extra thousandth covers the rounding of the distance.
        let reach = meters * 1.001 / radiusMeters
        let (south, north) = (centre.latitude - reach.degrees, centre.latitude + reach.degrees)
        let bands = band(max(south, -90))...band(min(north, 90))
        let share = south <= -90 || north >= 90 ? 1 : sin(reach) / cos(centre.latitude.radians)
        let halfDegrees = share < 1 ? asin(share).degrees : 180
        return bands.flatMap { band in
            columns(from: centre.longitude - halfDegrees, degrees: 2 * halfDegrees, in: band).map { column in
                let cell = PlaceCell(band: band, column: column)
                return (cell, cell.metersAtLeast(to: centre))
            }
        }.filter { $0.meters <= meters }.sorted { $0.meters < $1.meters }
    }

    private static func band(_ latitude: Double) -> Int32 { min(bands - 1, Int32((latitude + 90) / degrees)) }

    /// The number of cells in a band.
    private static func columnCount(_ band: Int32) -> Int32 {
        let south = Double(band) * degrees - 90
        // The side of the band towards the equator is longer, so its length is used.
        let latitude = south < 0 ? min(0, south + degrees) : south
        return max(1, Int32(360 * cos(latitude.radians) / degrees))
    }

    private static func column(_ longitude: Double, in band: Int32) -> Int32 {
        let count = columnCount(band)
        return min(count - 1, max(0, Int32((longitude + 180) / 360 * Double(count))))
    }

    /// Returns the columns of a band from a longitude eastwards. They may cross the antimeridian.
    private static func columns(from west: Double, degrees: Double, in band: Int32) -> [Int32] {
        let count = columnCount(band)
        let start = ((west + 180) / 360 * Double(count)).rounded(.down)
        let end = ((west + degrees + 180) / 360 * Double(count)).rounded(.down)
        guard end - start + 1 < Double(count) else { return Array(0..<count) }
        return (Int32(start)...Int32(end)).map { ($0 % count + count) % count }
    }

    /// Returns a lower bound on the distance from the cell to a place, in metres.
    private func metersAtLeast(to place: Coordinate) -> Double {
        let south = Double(band) * Self.degrees - 90
        let north = max(0, south - place.latitude, place.latitude - south - Self.degrees).radians
        let width = 360 / Double(Self.columnCount(band))
        let middle = (Double(column) + 0.5) * width - 180
        let east = max(0, abs(Coordinate.wrappedLongitude(place.longitude - middle)) - width / 2)
        // If the cell is 90° of longitude or more away, its meridians give no bound: the shortest path to them crosses the pole.
        let across = east < 90 ? asin(sin(east.radians) * cos(place.latitude.radians)) : 0
        return max(0, max(north, across) * Self.radiusMeters * 0.999 - 1)
    }
}

extension Double {
    fileprivate var radians: Double { self * .pi / 180 }
    fileprivate var degrees: Double { self * 180 / .pi }
}
