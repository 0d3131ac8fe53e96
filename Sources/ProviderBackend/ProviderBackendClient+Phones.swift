public import FleetEngine
import FleetEngineWire
public import FoundationEssentials

/// The key with which a phone reports a car.
public struct CarKey: Hashable, Sendable {
    /// Stands in the phone's address.
    public let key: String
    /// Where the back end is reached from outside, as it says; nil when by the address at which it was asked.
    public let publicURL: String?
    /// Whether an older key of the car no longer works.
    public let endsOlderKey: Bool
    /// From when on the key opens nothing; nil for a key without an end.
    public let end: Date?

    /// How long a key may open, seconds.
    public static let livesInSeconds = NewCarBody.livesInSeconds
}

/// A car with a phone key.
public struct PhoneCarState: Hashable, Sendable {
    /// The bare id.
    public let vehicle: String
    /// From when on the key opens nothing; nil for a key without an end.
    public let keyEnd: Date?
    /// When the phone reported last with this key; nil for never.
    public let lastHeard: Date?
}

/// Where a car was last, as the back end says.
public struct CarPosition: Hashable, Sendable {
    /// When it was there.
    public let time: Date
    /// How far off the place may be, metres.
    public let accuracyMeters: Double?
}

/// What the back end says of a car and the phone in it.
public struct CarReport: Hashable, Sendable {
    /// Nil until the car has reported, and for an unknown car.
    public var position: CarPosition?
    /// By how much the phone's clock is ahead, seconds, while its positions are left out for that; negative for one that is behind.
    public var clockAheadSeconds: Int?

    /// A car of which this is known.
    public init(position: CarPosition? = nil, clockAheadSeconds: Int? = nil) {
        self.position = position
        self.clockAheadSeconds = clockAheadSeconds
    }
}

extension ProviderBackendClient {
    /// Books a key for the phone in a car; an older key of the car ends. A back end other than `tripwatch serve` has no such call.
    /// - Parameters:
    ///   - vehicle: the bare id. The vehicle is created if it is missing.
    ///   - lifeSeconds: how long the key opens, within `CarKey.livesInSeconds`; nil for ever.
    ///   - identity: what riders know the vehicle by. It changes a vehicle that is there already, too.
    public func bookCar(
        _ vehicle: String, lifeSeconds: Int? = nil, identity: VehicleIdentity = VehicleIdentity()
    ) async throws(ProviderBackendError) -> CarKey {
        let body = NewCarBody(vehicleId: vehicle, expiresInSeconds: lifeSeconds, identity: identity)
        let answer: CarKeyBody = try await send("POST", "/car/new", body: body, until: deadline)
        return CarKey(
            key: answer.key, publicURL: answer.publicUrl, endsOlderKey: answer.endsOlderKey ?? false,
            end: answer.keyExpirationTimestamp.map(Self.date))
    }

    /// Makes the key of a car's phone open nothing from now on.
    /// - Throws: an error of the kind `refused(status: 404)` where the car has no key.
    public func revokeCar(_ vehicle: String) async throws(ProviderBackendError) {
        let _: RevokedCarBody = try await send("POST", "/car/revoke", body: RevokedCarBody(vehicleId: vehicle), until: deadline)
    }

    /// The cars with phone keys, ended ones too, in the order of their ids.
    /// - Returns: the cars, and the time of the back end's clock.
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

    /// More cars are not asked for.
    private static let mostCars = 100_000

    private static func date(_ milliseconds: Int64) -> Date { Date(timeIntervalSince1970: Double(milliseconds) / 1_000) }

    /// Where a car was last, and whether its phone's clock is wrong.
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
