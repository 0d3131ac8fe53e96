import FleetEngine
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
    /// - Parameter vehicle: the bare id; the vehicle is made where there is none.
    public func bookCar(_ vehicle: String) async throws(ProviderBackendError) -> CarKey {
        let answer: CarKeyBody = try await send("POST", "/car/new", body: NewCarBody(vehicleId: vehicle), until: deadline)
        return CarKey(key: answer.key, publicURL: answer.publicUrl, endsOlderKey: answer.endsOlderKey ?? false)
    }

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
