package import ConsumerMap
package import FleetEngine
package import FoundationEssentials
import TerminalCanvas

/// News about vehicles that do not belong to the followed trips.
package enum FleetNews: Sendable {
    /// - Parameter isComplete: whether the list contains all requested vehicles.
    case vehicles([Vehicle], isComplete: Bool)
    case failure(FleetEngineError)
    /// The program no longer requests vehicles, because the rider has a car.
    case ended
}

/// The vehicles on the map that do not belong to the followed trips.
package struct FleetPage: Sendable {
    /// The maximum age of a position that is drawn, in seconds: one day, as in the web SDK.
    static let longestAgeSeconds = 86_400.0
    /// The maximum age of a position that counts as live, in seconds.
    static let staleSeconds = 60.0
    /// The maximum number of vehicles that are labelled with their ids.
    private static let mostLabels = 60

    /// The vehicles with a position that is recent enough, or of unknown age; ordered by id.
    private(set) var vehicles: [Vehicle] = []
    /// The number of vehicles in the server's answer, including those without a position.
    private(set) var count = 0
    private(set) var onlineCount = 0
    /// Whether the server's answer contains all requested vehicles.
    private(set) var isComplete = true
    /// The time of the last answer; nil before the first answer.
    package private(set) var answeredAt: Date?
    /// The failure of the last request; nil if the request succeeded.
    package private(set) var failure: FleetEngineError?
    private var numbers: [VehicleName: Int] = [:]

    package init() {}

    package mutating func apply(_ news: FleetNews, at now: Date) {
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

    /// Returns the age of a vehicle's position, in seconds; nil if the age is unknown.
    static func ageSeconds(_ vehicle: Vehicle, _ now: Date) -> Double? {
        vehicle.lastLocation?.fixTime.map { max(0, now.timeIntervalSince($0)) }
    }

    /// Returns the vehicles' markers for the map.
    package func markers(now: Date) -> [OtherVehicle] {
        vehicles.compactMap { vehicle in
            guard let location = vehicle.lastLocation, let number = numbers[vehicle.name] else { return nil }
            let isStale = Self.ageSeconds(vehicle, now).map { $0 > Self.staleSeconds } ?? true
            return OtherVehicle(
                number: number, coordinate: location.coordinate, headingDegrees: location.headingDegrees,
                isStale: isStale || vehicle.state == .offline,
                label: vehicles.count <= Self.mostLabels ? sanitised(vehicle.name.vehicle, maximumLength: 16) : "")
        }
    }

    /// Returns the vehicle whose marker has this number.
    package func vehicle(number: Int) -> Vehicle? { vehicles.first { numbers[$0.name] == number } }
}
