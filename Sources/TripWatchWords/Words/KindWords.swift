package import FleetEngine

/// Words that differ between orders and rides, except the words for the status.
extension TripKind {
    /// The word for the vehicle, for use inside a sentence.
    package var vehicle: String {
        switch self {
        case .ride: "car"
        case .order: "courier"
        }
    }

    /// The word for the vehicle, for use at the start of a line.
    package var vehicleTitle: String {
        switch self {
        case .ride: "Car"
        case .order: "Courier"
        }
    }

    /// The word for the trip, for use inside a sentence.
    package var subject: String {
        switch self {
        case .ride: "trip"
        case .order: "order"
        }
    }

    /// Returns the word for a stop, for use at the start of a line.
    package func stop(_ waypoint: WaypointType) -> String {
        switch (self, waypoint) {
        case (.order, .pickup): "Shop"
        case (.order, .dropoff): "Delivery"
        default: TripWords.stop(waypoint)
        }
    }

    package var movedPickup: String { self == .order ? "The shop has changed" : "The pickup has changed" }

    package var movedDropoff: String { self == .order ? "The delivery address has changed" : "The drop-off has changed" }

    /// Returns words for the number of stops before the user's own stop: `2 stops before yours`, and for an order `2 deliveries before
    /// yours`. For a viewer of a link: `2 stops first`.
    package func stopsBefore(_ count: Int, isViewer: Bool = false) -> String {
        if isViewer { return stopsBefore(count).replacing(" before yours", with: " first") }
        return switch self {
        case .ride: TripWords.stopsBefore(count)
        case .order: count == 1 ? "1 delivery before yours" : "\(count) deliveries before yours"
        }
    }
}
