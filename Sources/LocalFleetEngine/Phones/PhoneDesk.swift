import Crypto
import FleetEngine
import FoundationEssentials
import Geo
import PhoneIntake
import Synchronization

/// How the cars of phones are served.
public struct PhoneSettings: Hashable, Sendable {
    /// A car that is no farther from a stop is at it; 1 ... 10,000 metres.
    public var arrivalRadiusMeters = 50.0
    /// Whether the trips of all cars wait for the desk instead of moving by themselves.
    public var isManual = false

    /// Arrived within 50 m; trips move by themselves.
    public init() {}
}

/// Where phones report the cars that they are in: knows their keys.
struct PhoneDesk: Sendable {
    let desk: ProviderDesk
    let settings: PhoneSettings
    private let keys = PhoneKeys()
    /// Told when there is a car for which time has to pass.
    private let bookings = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))

    init(desk: ProviderDesk, settings: PhoneSettings) {
        self.desk = desk
        self.settings = settings
    }

    /// A key for a car's phone; an older one of the same car ends. The vehicle is made where there is none.
    /// - Throws: INVALID_ARGUMENT for an id that no vehicle can have.
    func book(_ id: String, isManual: Bool) async throws(FleetEngineError) -> String {
        let name: VehicleName
        do throws(ResourceNameError) {
            name = try VehicleName(provider: desk.provider, vehicle: id)
        } catch {
            throw .invalid("vehicleId", "\(error)")
        }
        do throws(FleetEngineError) {
            _ = try await desk.createVehicle(id, VehicleSettings())
        } catch {
            guard error.code == .alreadyExists else { throw error }
        }
        try await desk.engine.addPhone(name, isManual: isManual, settings)
        bookings.continuation.yield()
        return keys.renew(name)
    }

    /// The car whose key it is.
    /// - Parameter user: the car's bare id where the phone says that, too.
    func car(key: String, user: String? = nil) -> VehicleName? {
        keys.owner(of: key).flatMap { user == nil || user == $0.vehicle ? $0 : nil }
    }

    /// - Returns: false where the car is gone, and its key with it.
    func report(_ fixes: [PhoneFix], of name: VehicleName) async throws(FleetEngineError) -> Bool {
        do throws(FleetEngineError) {
            try await desk.engine.reportPhone(fixes, of: name)
            return true
        } catch {
            guard error.code == .notFound else { throw error }
            keys.end(name)
            return false
        }
    }

    /// Lets time pass for the cars, until the task is cancelled.
    func run() async {
        guard await bookings.stream.first(where: { true }) != nil else { return }
        while (try? await desk.time.sleep(until: desk.time.now().addingTimeInterval(1))) != nil { await desk.engine.passPhoneTime() }
    }
}

/// The keys of cars, of which only digests are kept: comparing those tells nothing about a key, however long it takes.
private final class PhoneKeys: Sendable {
    private struct Book {
        var owners: [SHA256Digest: VehicleName] = [:]
        var digests: [VehicleName: SHA256Digest] = [:]

        mutating func end(_ name: VehicleName) {
            if let old = digests.removeValue(forKey: name) { owners[old] = nil }
        }
    }

    private static let keyBytes = 16
    private let book = Mutex(Book())

    func renew(_ name: VehicleName) -> String {
        var random = SystemRandomNumberGenerator()
        let key = URLSafeBase64.encode((0..<Self.keyBytes).map { _ in UInt8.random(in: 0...255, using: &random) }, isPadded: false)
        let digest = SHA256.hash(data: Array(key.utf8))
        book.withLock {
            $0.end(name)
            $0.owners[digest] = name
            $0.digests[name] = digest
        }
        return key
    }

    func owner(of key: String) -> VehicleName? {
        let digest = SHA256.hash(data: Array(key.utf8))
        return book.withLock { $0.owners[digest] }
    }

    func end(_ name: VehicleName) { book.withLock { $0.end(name) } }
}

extension LocalFleetEngine {
    /// See `PhoneFleet.add`.
    func addPhone(_ name: VehicleName, isManual: Bool, _ settings: PhoneSettings) async throws(FleetEngineError) {
        try await change { state, now throws(FleetEngineError) in
            ((), try phones.add(name, isManual: isManual, settings, in: &state, now: now))
        }
    }

    /// See `PhoneFleet.report`.
    func reportPhone(_ fixes: [PhoneFix], of name: VehicleName) async throws(FleetEngineError) {
        try await change { state, now throws(FleetEngineError) in ((), try phones.report(fixes, of: name, in: &state, now: now)) }
    }

    /// See `PhoneFleet.tick`.
    func passPhoneTime() async {
        try? await change { state, now throws(FleetEngineError) in ((), phones.tick(in: &state, now: now)) }
    }
}
