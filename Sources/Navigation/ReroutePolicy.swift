public import FoundationEssentials
public import Geo

/// Decides when a vehicle that has left its route may request a new route. There is at most one request at a time. After a request that
/// found a route, the next request is sent at least 5 s and 50 m later. After a failed request, the next one is sent at least 5 s later.
///
/// The pauses grow (5, 10, 20, 60 s) with repeated failures, and with repeated routes that the vehicle leaves within their first 100 m.
/// For example, a vehicle on a recorded track that leads away from the stop leaves every new route at once.
public struct ReroutePolicy: Hashable, Sendable {
    private static let minimumMeters = 50.0
    private static let followedMeters = 100.0
    private static let pauses = [5.0, 10, 20, 60]

    private struct Request: Hashable {
        var time: Date
        var place: Coordinate
    }

    private var lastRequest: Request?
    private var isWaiting = false
    private var failures = 0
    private var failedAt: Date?
    /// Number of new routes in a row that the vehicle has left within their first 100 m.
    private var leftRoutes = 0

    /// Creates a policy that allows the first request at once.
    public init() {}

    /// Returns whether to request a route now. If true, the request counts as sent: report its outcome with `didSucceed()` or
    /// `didFail(at:)`.
    /// - Parameter progressMeters: the vehicle's progress on the current route.
    public mutating func shouldAsk(at now: Date, from place: Coordinate, progressMeters: Double) -> Bool {
        guard !isWaiting else { return false }
        if let failedAt {
            guard now.timeIntervalSince(failedAt) >= Self.pauseSeconds(failures) else { return false }
        } else if let lastRequest {
            let left = progressMeters < Self.followedMeters ? leftRoutes + 1 : 0
            guard now.timeIntervalSince(lastRequest.time) >= Self.pauseSeconds(left + 1) else { return false }
            guard place.distanceMeters(to: lastRequest.place) >= Self.minimumMeters else { return false }
            leftRoutes = left
        }
        lastRequest = Request(time: now, place: place)
        isWaiting = true
        return true
    }

    /// Returns the pause with this number, counted from 1. Numbers beyond the list give the longest pause.
    private static func pauseSeconds(_ attempt: Int) -> Double { pauses.prefix(attempt).last ?? 0 }

    /// Records that the last request found a route.
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
