/// A simulated connection with a low bandwidth and a delay.
public struct SlowLink {
    /// The time between two checks of the connection, in milliseconds.
    static let stepMilliseconds: Int32 = 20

    private let bytesPerSecond: Double
    private let delay: Duration
    private var since = ContinuousClock.now
    /// The number of bytes accepted since the start, plus the unused capacity of idle periods.
    private var used = 0.0
    private var onTheWay: [(due: ContinuousClock.Instant, bytes: [UInt8])] = []

    public init(bytesPerSecond: Double, delay: Duration) { (self.bytesPerSecond, self.delay) = (bytesPerSecond, delay) }

    private var allowed: Double { (ContinuousClock.now - since) / .seconds(1) * bytesPerSecond }

    /// Returns the number of bytes that the connection accepts now, at most the amount that passes in a tenth of a second.
    mutating func room() -> Int {
        used = max(used, allowed - bytesPerSecond / 10)
        return max(0, Int(allowed - used))
    }

    mutating func take(_ bytes: ArraySlice<UInt8>) {
        used += Double(bytes.count)
        onTheWay.append((.now + delay, Array(bytes)))
    }

    /// Returns the bytes that have reached the other end by now.
    mutating func arrived() -> [UInt8] {
        let now = ContinuousClock.now
        let count = onTheWay.prefix { $0.due <= now }.count
        defer { onTheWay.removeFirst(count) }
        return onTheWay.prefix(count).flatMap(\.bytes)
    }
}
