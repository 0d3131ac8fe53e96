/// A line that lets few bytes through in a second, and each of them late.
public struct SlowLink {
    /// So often it is looked at.
    static let stepMilliseconds: Int32 = 20

    private let bytesPerSecond: Double
    private let delay: Duration
    private var since = ContinuousClock.now
    /// Bytes that were let through since then, or could have been while there were none.
    private var used = 0.0
    private var onTheWay: [(due: ContinuousClock.Instant, bytes: [UInt8])] = []

    public init(bytesPerSecond: Double, delay: Duration) { (self.bytesPerSecond, self.delay) = (bytesPerSecond, delay) }

    private var allowed: Double { (ContinuousClock.now - since) / .seconds(1) * bytesPerSecond }

    /// How many bytes it takes now. What it has not carried while nothing came it does not make good.
    mutating func room() -> Int {
        used = max(used, allowed - bytesPerSecond / 10)
        return max(0, Int(allowed - used))
    }

    mutating func take(_ bytes: ArraySlice<UInt8>) {
        used += Double(bytes.count)
        onTheWay.append((.now + delay, Array(bytes)))
    }

    /// What has come to the other end by now.
    mutating func arrived() -> [UInt8] {
        let now = ContinuousClock.now
        let count = onTheWay.prefix { $0.due <= now }.count
        defer { onTheWay.removeFirst(count) }
        return onTheWay.prefix(count).flatMap(\.bytes)
    }
}
