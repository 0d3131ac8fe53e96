/// One of eight directions, clockwise from north: north, north-east and so on.
public struct HeadingSector: Sendable, Hashable {
    /// Index of the direction: 0 for north, 1 for north-east … 7 for north-west.
    public let index: Int

    /// Another direction is shown only if the heading passes the boundary of the shown direction by more than this angle, in degrees.
    public static let hysteresisDegrees = 5.0

    /// Creates the direction nearest to a heading in degrees clockwise from north. Returns nil if the heading is not finite.
    public init?(degrees: Double) {
        guard degrees.isFinite else { return nil }
        let turn = degrees.truncatingRemainder(dividingBy: 360)
        let index = Int(((turn < 0 ? turn + 360 : turn) / 45).rounded()) % 8
        self.index = index
    }

    /// Creates the direction for a heading. To keep an icon from flickering, keeps `previous` until the heading is more than
    /// ``hysteresisDegrees`` outside it.
    public init?(degrees: Double, previous: HeadingSector?) {
        guard let nearest = HeadingSector(degrees: degrees) else { return nil }
        guard let previous else {
            self = nearest
            return
        }
        let away = abs((degrees - previous.degrees).remainder(dividingBy: 360))
        self = away <= 22.5 + Self.hysteresisDegrees ? previous : nearest
    }

    /// The middle of the direction, in degrees clockwise from north.
    public var degrees: Double { Double(index) * 45 }
}
