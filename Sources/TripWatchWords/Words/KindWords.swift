package import FleetEngine

/// The words in which an order differs from a ride, beside those of its status.
extension TripKind {
    /// What comes, inside a sentence.
    package var vehicle: String {
        switch self {
        case .ride: "car"
        case .order: "courier"
        }
    }

    /// The same at the beginning of a line.
    package var vehicleTitle: String {
        switch self {
        case .ride: "Car"
        case .order: "Courier"
        }
    }

    /// What is followed, inside a sentence.
    package var subject: String {
        switch self {
        case .ride: "trip"
        case .order: "order"
        }
    }

    /// The word for a stop, at the head of a line.
    package func stop(_ waypoint: WaypointType) -> String {
        switch (self, waypoint) {
        case (.order, .pickup): "Shop"
        case (.order, .dropoff): "Delivery"
        default: TripWords.stop(waypoint)
        }
    }

    /// How many stops come before the one that is waited for.
    package func stopsBefore(_ count: Int) -> String {
        switch self {
        case .ride: TripWords.stopsBefore(count)
        case .order: count == 1 ? "1 delivery before yours" : "\(count) deliveries before yours"
        }
    }
}
