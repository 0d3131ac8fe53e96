public import FoundationEssentials
public import Geo

/// Decides when a vehicle that has left its route may request a new one. There is at most one request at a time. The next request is sent
/// at least 5 s and 50 m after the last one. After failures of the router, the pauses grow (5, 10, 20, 60 s).
public struct ReroutePolicy: Hashable, Sendable {
    private static let minimumSeconds = 5.0
    private static let minimumMeters = 50.0
    private static let failureSeconds = [5.0, 10, 20, 60]

    private struct Request: Hashable {
        var time: Date
        var place: Coordinate
    }

    private var lastRequest: Request?
    private var isWaiting = false
    private var failures = 0
    private var failedAt: Date?

    /// Creates a policy that allows the first request at once.
    public init() {}

    /// Returns whether to request a route now. If true, the request counts as sent: report its outcome with `didSucceed()` or
    /// `didFail(at:)`.
    public mutating func shouldAsk(at now: Date, from place: Coordinate) -> Bool {
        guard !isWaiting else { return false }
        if let failedAt {
            let wait = Self.failureSeconds.prefix(failures).last ?? Self.minimumSeconds
            guard now.timeIntervalSince(failedAt) >= wait else { return false }
        } else if let lastRequest {
            guard now.timeIntervalSince(lastRequest.time) >= Self.minimumSeconds else { return false }
            guard place.distanceMeters(to: lastRequest.place) >= Self.minimumMeters else { return false }
        }
        lastRequest = Request(time: now, place: place)
        isWaiting = true
        return true
    }

    /// Records that the router has answered.
    public mutating func didSucceed() {
        isWaiting = false
        failures = 0
        failedAt = nil
    }

    /// Records that a request failed at `now`. The pause before the next request grows with every consecutive failure.
    public mutating func didFail(at now: Date) {
        isWaiting = false
        failures += 1
        failedAt = now
    }
}
