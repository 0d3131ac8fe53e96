/// Brings recorded times to seconds since the first one, which never fall.
struct RecordedPace: Sendable {
    /// Between two fixes more than that is no pause but a clock that was set, or a broken figure, seconds.
    static let longestGapSeconds = 86_400.0

    private var last: Double?
    private var elapsed = 0.0
    /// How often a clock was set.
    private(set) var jumpCount = 0

    /// - Parameter time: seconds since any moment.
    /// - Returns: nil for a time that is not later than the one before. After a jump a second has passed.
    mutating func offset(of time: Double) -> Double? {
        guard let last else {
            self.last = time
            return 0
        }
        let step = time - last
        guard abs(step) <= Self.longestGapSeconds else { return set(to: time) }
        guard step > 0 else { return nil }
        self.last = time
        elapsed += step
        return elapsed
    }

    /// Takes the clock as set: a second has passed, whatever it says.
    mutating func set(to time: Double) -> Double {
        jumpCount += 1
        last = time
        elapsed += 1
        return elapsed
    }
}
