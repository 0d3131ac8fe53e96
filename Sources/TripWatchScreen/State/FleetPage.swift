import ConsumerMap
package import FleetEngine
import FoundationEssentials
import TerminalCanvas

/// What was heard of vehicles beside those of the trips.
package enum FleetNews: Sendable {
    /// - Parameter isComplete: whether they are all that were asked for.
    case vehicles([Vehicle], isComplete: Bool)
    case failure(FleetEngineError)
    /// Nothing is asked any more: the rider has a car.
    case ended
}

/// Vehicles beside those of the trips, as the map keeps them.
struct FleetPage: Sendable {
    /// An older position is not drawn, as in the web SDK: a day, seconds.
    static let longestAgeSeconds = 86_400.0
    /// A vehicle with an older position is drawn as one that is not live, seconds.
    static let staleSeconds = 60.0
    /// With more of them the map has no room for their ids.
    private static let mostLabels = 60

    /// Those with a position that is young enough, by id.
    private(set) var vehicles: [Vehicle] = []
    /// How many the server told of, those without a position included.
    private(set) var count = 0
    private(set) var onlineCount = 0
    /// Whether the server knows no more.
    private(set) var isComplete = true
    /// When the last answer came; nil before the first.
    private(set) var answeredAt: Date?
    /// Why the last question had no answer.
    private(set) var failure: FleetEngineError?
    private var numbers: [VehicleName: Int] = [:]

    mutating func apply(_ news: FleetNews, at now: Date) {
        switch news {
        case .vehicles(let told, let isComplete):
            count = told.count
            onlineCount = told.count { $0.state == .online }
            self.isComplete = isComplete
            answeredAt = now
            failure = nil
            vehicles = told.filter { Self.ageSeconds($0, now).map { $0 <= Self.longestAgeSeconds } ?? ($0.lastLocation != nil) }
            vehicles.sort { $0.name.vehicle < $1.name.vehicle }
            for vehicle in vehicles where numbers[vehicle.name] == nil { numbers[vehicle.name] = numbers.count }
        case .failure(let error): failure = error
        case .ended:
            vehicles = []
            count = 0
            onlineCount = 0
            failure = nil
        }
    }

    /// How old a vehicle's position is, seconds; nil where that is not known.
    static func ageSeconds(_ vehicle: Vehicle, _ now: Date) -> Double? {
        vehicle.lastLocation?.fixTime.map { max(0, now.timeIntervalSince($0)) }
    }

    /// The markers.
    func markers(now: Date) -> [OtherVehicle] {
        vehicles.compactMap { vehicle in
            guard let location = vehicle.lastLocation, let number = numbers[vehicle.name] else { return nil }
            let isStale = Self.ageSeconds(vehicle, now).map { $0 > Self.staleSeconds } ?? true
            return OtherVehicle(
                number: number, coordinate: location.coordinate, headingDegrees: location.headingDegrees,
                isStale: isStale || vehicle.state == .offline,
                label: vehicles.count <= Self.mostLabels ? sanitised(vehicle.name.vehicle, maximumLength: 16) : "")
        }
    }

    /// The vehicle of a marker.
    func vehicle(number: Int) -> Vehicle? { vehicles.first { numbers[$0.name] == number } }
}
