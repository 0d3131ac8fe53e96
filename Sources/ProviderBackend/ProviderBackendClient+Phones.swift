public import FleetEngine
import FleetEngineWire
public import FoundationEssentials

/// The key with which a phone reports the positions of a car.
public struct CarKey: Hashable, Sendable {
    /// The text of the key, which is in the address that the phone uses.
    public let key: String
    /// Public URL of the provider backend, as the backend reports it; nil if the phone should use the same address as this client.
    public let publicURL: String?
    /// Whether the car had an older key, which has stopped working.
    public let endsOlderKey: Bool
    /// Time at which the key stops working; nil for a key that does not expire.
    public let end: Date?

    /// The allowed lifetimes of a key, in seconds.
    public static let livesInSeconds = NewCarBody.livesInSeconds
}

/// A car with a phone key.
public struct PhoneCarState: Hashable, Sendable {
    /// Bare id of the vehicle.
    public let vehicle: String
    /// Time at which the key stops working; nil for a key that does not expire.
    public let keyEnd: Date?
    /// Time of the phone's last report with this key; nil before the first report.
    public let lastHeard: Date?
}

/// Last position of a car, as the provider backend reports it.
public struct CarPosition: Hashable, Sendable {
    /// Time of the position.
    public let time: Date
    /// Error radius of the position, in metres; nil if unknown.
    public let accuracyMeters: Double?
}

/// The provider backend's report on a car and its phone.
public struct CarReport: Hashable, Sendable {
    /// Last position; nil before the car's first report, or if the backend does not know the car.
    public var position: CarPosition?
    /// Phone's clock minus the server's clock, in seconds; negative if the phone's clock is behind. Nil if the difference is so small that
    /// the server accepts the phone's positions.
    public var clockAheadSeconds: Int?

    /// Creates a report.
    public init(position: CarPosition? = nil, clockAheadSeconds: Int? = nil) {
        self.position = position
        self.clockAheadSeconds = clockAheadSeconds
    }
}

extension ProviderBackendClient {
    /// Creates a key for the phone in a car. An older key of the car stops working. Only the provider backend of `tripwatch serve` has this
    /// call.
    /// - Parameters:
    ///   - vehicle: bare id of the vehicle, which is created if it is missing.
    ///   - lifeSeconds: lifetime of the key, within `CarKey.livesInSeconds`; nil for a key that does not expire.
    ///   - identity: details by which riders recognise the vehicle. They are also set on a vehicle that already exists.
    /// - Throws: `ProviderBackendError`.
    public func bookCar(
        _ vehicle: String, lifeSeconds: Int? = nil, identity: VehicleIdentity = VehicleIdentity()
    ) async throws(ProviderBackendError) -> CarKey {
        let body = NewCarBody(vehicleId: vehicle, expiresInSeconds: lifeSeconds, identity: identity)
        let answer: CarKeyBody = try await send("POST", "/car/new", body: body, until: deadline)
        return CarKey(
            key: answer.key, publicURL: answer.publicUrl, endsOlderKey: answer.endsOlderKey ?? false,
            end: answer.keyExpirationTimestamp.map(Self.date))
    }

    /// Revokes the key of a car's phone. The key stops working at once.
    /// - Throws: an error of the kind `refused(status: 404)` if the car has no key.
    public func revokeCar(_ vehicle: String) async throws(ProviderBackendError) {
        let _: RevokedCarBody = try await send("POST", "/car/revoke", body: RevokedCarBody(vehicleId: vehicle), until: deadline)
    }

    /// Returns the cars with phone keys, including cars with expired keys, in the order of their ids.
    /// - Returns: the cars, and the time by the provider backend's clock.
    public func phoneCars() async throws(ProviderBackendError) -> (cars: [PhoneCarState], now: Date) {
        let deadline = deadline
        var cars: [PhoneCarState] = []
        var path = "/cars"
        while true {
            let part: CarListBody = try await send("GET", path, until: deadline)
            cars += part.cars.map {
                PhoneCarState(
                    vehicle: $0.vehicleId, keyEnd: $0.keyExpirationTimestamp.map(Self.date), lastHeard: $0.lastHeardTimestamp.map(Self.date)
                )
            }
            guard let next = part.next, !part.cars.isEmpty, cars.count < Self.mostCars else {
                return (cars, Self.date(part.timestamp))
            }
            path = "/cars?after=" + PercentEncoding.segment(next)
        }
    }

    /// Maximum number of cars. Once this many cars have been received, no more are requested.
    private static let mostCars = 100_000

    private static func date(_ milliseconds: Int64) -> Date { Date(timeIntervalSince1970: Double(milliseconds) / 1_000) }

    /// Returns the last position of a car, and the difference between its phone's clock and the server's clock.
    public func carReport(_ vehicle: String) async throws(ProviderBackendError) -> CarReport {
        do throws(ProviderBackendError) {
            let answer: CarPositionBody = try await send("GET", "/vehicle/" + PercentEncoding.segment(vehicle), until: deadline)
            var report = CarReport(clockAheadSeconds: answer.phoneClockAheadSeconds)
            guard let last = answer.lastLocation, let milliseconds = last.updateTimestamp else { return report }
            report.position = CarPosition(time: Date(timeIntervalSince1970: Double(milliseconds) / 1_000), accuracyMeters: last.accuracy)
            return report
        } catch {
            guard error.kind == .refused(status: 404) else { throw error }
            return CarReport()
        }
    }
}
