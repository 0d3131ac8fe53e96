import FleetEngine
import FleetEngineAPI
import FoundationEssentials
import PhoneIntake
import Synchronization

/// How the cars of phones are served.
public struct PhoneSettings: Hashable, Sendable {
    /// A car that is no farther from a stop is at it, if its fix is no less accurate; 1 ... 10,000 metres.
    public var arrivalRadiusMeters = 50.0
    /// Whether the trips of all cars wait for the desk instead of moving by themselves.
    public var isManual = false

    /// Arrived within 50 m; trips move by themselves.
    public init() {}
}

/// Where phones report the cars that they are in.
struct PhoneDesk: Sendable {
    let desk: ProviderDesk
    let settings: PhoneSettings
    private let ways = DrivenWays()
    /// Told when there may be a car for which time has to pass.
    private let news = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))

    init(desk: ProviderDesk, settings: PhoneSettings) {
        self.desk = desk
        self.settings = settings
        if desk.engine.hasPhones { news.continuation.yield() }
    }

    /// By the engine's clock, as all that is known of the cars.
    var now: Date { desk.engine.time.now() }

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
        let key = PhoneKey.make()
        try await desk.engine.addPhone(PhoneKey(of: key), isManual: isManual, to: name)
        news.continuation.yield()
        return key
    }

    /// Whether a phone of the vehicle has a key.
    func hasPhone(_ id: String) -> Bool {
        guard let name = try? VehicleName(provider: desk.provider, vehicle: id) else { return false }
        return desk.engine.held.withLock { $0.engine.vehicles[name]?.phone != nil }
    }

    /// The car whose key it is.
    /// - Parameter user: the car's bare id where the phone says that, too.
    func car(key: String, user: String? = nil) -> VehicleName? {
        desk.engine.phoneOwner(PhoneKey(of: key)).flatMap { user == nil || user == $0.vehicle ? $0 : nil }
    }

    /// - Returns: false where the car is gone, and its key with it.
    func report(
        _ fixes: [PhoneFix], clockAheadSeconds: Int? = nil, of name: VehicleName
    ) async throws(FleetEngineError) -> Bool {
        do throws(FleetEngineError) {
            let believed = try await desk.engine.reportPhone(fixes, clockAheadSeconds: clockAheadSeconds, of: name, settings)
            ways.add(believed, of: name, serial: desk.engine.vehicleSerial)
            return true
        } catch {
            guard error.code == .notFound else { throw error }
            return false
        }
    }

    /// By how much the clock of the phone in a vehicle is ahead; nil while its positions have times that can be.
    func clockAheadSeconds(_ id: String) -> Int? {
        guard let name = try? VehicleName(provider: desk.provider, vehicle: id) else { return nil }
        return desk.engine.held.withLock { $0.engine.vehicles[name]?.phone?.clockAheadSeconds }
    }

    /// The way that a vehicle has driven, as far as its phone has told since the server's start.
    /// - Throws: NOT_FOUND where there is no such vehicle.
    func driven(_ id: String) async throws(FleetEngineError) -> DrivenWayBody {
        let vehicle = try await desk.vehicle(id)
        guard let name = try? VehicleName(vehicle.name), let serial = desk.engine.vehicleSerial(name) else {
            return DrivenWayBody(DrivenWay(), of: id)
        }
        return DrivenWayBody(ways.way(of: name, serial: serial), of: id)
    }

    /// Knows of no way any more.
    func forgetWays() { ways.forget() }

    /// Lets time pass for the cars, a second at a time and while it changes anything for one of them, until the task is cancelled.
    func run() async {
        let (news, signal) = news
        var observer: UInt64?
        for await _ in news {
            // Changes are looked at from the first car on.
            if observer == nil {
                observer = await desk.engine.observe { changes in if changes.contains(where: \.isOfPhone) { signal.yield() } }.id
            }
            while desk.engine.phonesNeedTime, (try? await desk.engine.time.sleep(until: now.addingTimeInterval(1))) != nil {
                await passTime()
            }
        }
        if let observer { await desk.engine.removeObserver(observer) }
    }

    /// Does what is due for the cars by now.
    func passTime() async { await desk.engine.passPhoneTime(settings) }
}

extension LocalFleetEngine {
    /// Whether any vehicle has a phone.
    nonisolated var hasPhones: Bool { held.withLock { !$0.engine.phoneOwners.isEmpty } }

    /// See `FleetEngineState.phonesNeedTime`.
    nonisolated var phonesNeedTime: Bool { held.withLock { $0.engine.phonesNeedTime } }

    /// The vehicle with the phone whose key it is.
    nonisolated func phoneOwner(_ key: PhoneKey) -> VehicleName? { held.withLock { $0.engine.phoneOwners[key] } }

    /// What tells the vehicle that has a name now from others that had it; nil where there is none.
    nonisolated func vehicleSerial(_ name: VehicleName) -> UInt64? { held.withLock { $0.engine.vehicles[name]?.serial } }

    /// See `FleetEngineState.addPhone`.
    func addPhone(_ key: PhoneKey, isManual: Bool, to name: VehicleName) async throws(FleetEngineError) {
        try await change { state, now throws(FleetEngineError) in
            ((), try state.addPhone(key, isManual: isManual, to: name, now: now))
        }
    }

    /// See `FleetEngineState.reportPhone`.
    func reportPhone(
        _ fixes: [PhoneFix], clockAheadSeconds: Int?, of name: VehicleName, _ settings: PhoneSettings
    ) async throws(FleetEngineError) -> [PhoneFix] {
        let (start, made) = (ContinuousClock.now, MadeCalls())
        let believed: [PhoneFix]
        do {
            believed = try await MadeCalls.$kept.withValue(made) {
                try await change { state, now throws(FleetEngineError) in
                    try state.reportPhone(fixes, clockAheadSeconds: clockAheadSeconds, of: name, settings, now: now)
                }
            }
        } catch {
            let error = error as? FleetEngineError ?? FleetEngineError(code: .cancelled, message: "")
            if error.code != .notFound {
                note([MadeCall(request: FleetEngineState.refused(fixes, of: name), result: .failure(error))], since: start)
            }
            throw error
        }
        note(made.all, since: start)
        return believed
    }

    /// See `FleetEngineState.passPhoneTime`.
    func passPhoneTime(_ settings: PhoneSettings) async {
        try? await change { state, now throws(FleetEngineError) in ((), state.passPhoneTime(settings, now: now)) }
    }
}
