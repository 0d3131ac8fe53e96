package import ConsumerMap
package import FleetEngine
package import FoundationEssentials
package import JourneySharing
import TerminalCanvas
import TripWatchSettings

/// A page of the screen that shows one shipment.
package struct ShipmentPage: Sendable {
    /// The shipment's state after the last update.
    package private(set) var tracker: ShipmentTracker
    /// Finds the news about the shipment.
    package var observer = ShipmentObserver()
    /// Finds the events that alert the user.
    package var moments: ShipmentMomentWatch
    package var map = JourneyMap()
    /// The list of events, with times by the local clock.
    package var log = EventLog()
    /// The time at which the server began to share details such as position and arrival, by the server's clock; nil if this program did not
    /// see the change.
    package private(set) var onWayAt: Date?
    /// The shared items that the event list reported last; nil before the first answer.
    package var toldShared: SharedParts?
    /// The title that the user has given to the shipment.
    private let ownTitle: String?
    /// The link that lets others watch the shipment; nil if no link is served.
    package var link: TripLink?
    package let openedAt: Date
    package private(set) var failureAt: Date?
    /// The time by which the server's clock is ahead of the local clock, in seconds.
    private var clockOffset = 0.0

    package init(name: TaskTrackingName, title: String?, options: AppOptions, now: Date) {
        tracker = ShipmentTracker(name: name)
        moments = ShipmentMomentWatch(options.alerts.rules)
        ownTitle = title
        openedAt = now
        map.ownPosition = options.ownPosition
        map.mapBounds = options.mapBounds
    }

    package var name: TaskTrackingName { tracker.name }
    package var failure: PollFailure? { tracker.failure }
    /// The tracking id without characters that could corrupt the terminal's display.
    package var shortTitle: String { sanitised(name.trackingID, maximumLength: 64) }
    /// The user's title. Without one, `Shipment` and the tracking id.
    package var title: String { ownTitle.map { sanitised($0, maximumLength: 64) } ?? "Shipment \(shortTitle)" }

    /// Converts a time of the local clock to the server's clock, which the screen uses for all times.
    package func clockTime(_ date: Date) -> Date { clockOffset == 0 ? date : date.addingTimeInterval(clockOffset) }

    /// The list of events, with times on the server's clock.
    package var shownEvents: [LoggedEvent] {
        var log = log
        log.shift(bySeconds: clockOffset)
        return log.events
    }

    /// Applies an update from the shipment's model.
    /// - Parameter interval: time between two polls by the model, in seconds.
    package mutating func apply(_ update: ShipmentUpdate, intervalSeconds interval: Double) {
        let hadShared = !tracker.shared.isEmpty
        let wasAnswered = tracker.shipment != nil
        tracker.pollIntervalSeconds = interval
        tracker.observe(update)
        let offset = tracker.serverNow(update.time).timeIntervalSince(update.time)
        if abs(offset - clockOffset) > TripPage.leastClockDifference { clockOffset = offset }
        switch update.kind {
        case .replaced:
            onWayAt = nil
            toldShared = nil
            map.select(nil)
        case .shipment where wasAnswered && !hadShared && !tracker.shared.isEmpty && onWayAt == nil:
            onWayAt = tracker.lastSharedAt
        case .failure: failureAt = update.time
        case .shipment, .recovered, .state, .ended: break
        }
        map.shipment = ShipmentOnMap(tracker)
    }

    /// Updates the freshness of the position as time passes.
    package mutating func tick(now: Date) {
        tracker.tick(now: now)
        map.shipment = ShipmentOnMap(tracker)
    }
}

extension ShipmentPage: PolledPage {}
