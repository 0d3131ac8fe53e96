import FleetEngine
import FleetEngineAPI
import FleetEngineCore
import FleetEngineWire
import FoundationEssentials
import PhoneIntake
import Synchronization

/// Receives the position reports of phones in cars, and manages the keys with which these phones identify themselves.
struct PhoneDesk: Sendable {
    let desk: ProviderDesk
    let settings: PhoneSettings
    private let ways = DrivenWays()
    /// Wakes `run()` after a change to a car with a phone. Such a car may need further changes as time passes.
    private let news = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))

    init(desk: ProviderDesk, settings: PhoneSettings) {
        self.desk = desk
        self.settings = settings
        if desk.engine.hasPhones { news.continuation.yield() }
    }

    /// The current time by the engine's clock. All times of cars use this clock.
    var now: Date { desk.engine.time.now() }

    /// Makes a key for a car's phone, and revokes the car's earlier key. Creates the vehicle if it does not exist.
    /// - Parameters:
    ///   - lifeSeconds: lifetime of the key, by the engine's clock; nil for a key that does not expire.
    ///   - identity: plate, colour, model and driver. They replace an existing vehicle's values.
    /// - Returns: the key and the time at which it expires.
    /// - Throws: INVALID_ARGUMENT for an invalid vehicle id, or if a text of the identity is too long.
    func book(
        _ id: String, isManual: Bool, lifeSeconds: Int? = nil, identity: VehicleIdentity = VehicleIdentity()
    ) async throws(FleetEngineError) -> (key: String, end: Date?) {
        let name = try name(id)
        let settings = VehicleSettings(identity: identity)
        do throws(FleetEngineError) {
            _ = try await desk.createVehicle(id, settings)
        } catch {
            guard error.code == .alreadyExists else { throw error }
            if !identity.attributes.isEmpty { _ = try await desk.updateVehicle(id, settings) }
        }
        let key = PhoneKey.make()
        let end = lifeSeconds.map { now.addingTimeInterval(Double($0)) }
        try await desk.engine.addPhone(PhoneKey(of: key), isManual: isManual, end: end, to: name)
        news.continuation.yield()
        return (key, end)
    }

    /// Whether the vehicle has a phone key.
    func hasPhone(_ id: String) -> Bool {
        guard let name = try? VehicleName(provider: desk.provider, vehicle: id) else { return false }
        return desk.engine.held.withLock { $0.engine.vehicles[name]?.phone != nil }
    }

    private func name(_ id: String) throws(FleetEngineError) -> VehicleName {
        do throws(ResourceNameError) {
            return try VehicleName(provider: desk.provider, vehicle: id)
        } catch {
            throw .invalid("vehicleId", "\(error)")
        }
    }

    /// Revokes a car's key.
    /// - Throws: NOT_FOUND if the car has no phone key.
    func revoke(_ id: String) async throws(FleetEngineError) { try await desk.engine.revokePhone(of: try name(id)) }

    /// Returns one page of the list of cars with a phone key, sorted by id. Cars with an expired key are included.
    /// - Parameter after: id of the last car on the previous page; nil for the first page.
    func cars(after: String?) -> CarListBody {
        let rest = desk.engine.phones(of: desk.provider).filter { car in after.map { car.name.vehicle > $0 } ?? true }
            .sorted { $0.name.vehicle < $1.name.vehicle }
        let part = rest.prefix(CarListBody.carsAtOnce).map { car in
            CarListBody.Car(
                vehicleId: car.name.vehicle, keyExpirationTimestamp: car.phone.keyEnd.map(CarListBody.milliseconds),
                lastHeardTimestamp: car.phone.lastHeard.map(CarListBody.milliseconds))
        }
        return CarListBody(
            timestamp: CarListBody.milliseconds(now), cars: part, next: rest.count > part.count ? part.last?.vehicleId : nil)
    }

    /// Returns the car that the key belongs to, and the time at which the key expires; nil for an unknown key, or if `user` is another car.
    /// - Parameter user: bare id of the car as the phone reports it; nil if the phone does not report one.
    func car(key: String, user: String? = nil) -> (name: VehicleName, keyEnd: Date?)? {
        desk.engine.phoneOwner(PhoneKey(of: key)).flatMap { user == nil || user == $0.name.vehicle ? $0 : nil }
    }

    /// Applies the reports of a car's phone to the car.
    /// - Returns: false if the car or its phone key no longer exists.
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

    /// Returns how many seconds a phone's clock is ahead of the engine's clock; nil while the times of its fixes are plausible.
    func clockAheadSeconds(_ id: String) -> Int? {
        guard let name = try? VehicleName(provider: desk.provider, vehicle: id) else { return nil }
        return desk.engine.held.withLock { $0.engine.vehicles[name]?.phone?.clockAheadSeconds }
    }

    /// Returns the path that a vehicle has driven, according to its phone's reports since the server's start.
    /// - Throws: NOT_FOUND if the vehicle does not exist.
    func driven(_ id: String) async throws(FleetEngineError) -> DrivenWayBody {
        let vehicle = try await desk.vehicle(id)
        guard let name = try? VehicleName(vehicle.name), let serial = desk.engine.vehicleSerial(name) else {
            return DrivenWayBody(DrivenWay(), of: id)
        }
        return DrivenWayBody(ways.way(of: name, serial: serial), of: id)
    }

    /// Removes all driven paths.
    func forgetWays() { ways.forget() }

    /// Applies all due changes to the cars, once a second while any car may need a change. Runs until the task is cancelled.
    func run() async {
        let (news, signal) = news
        var observer: UInt64?
        for await _ in news {
            // Changes are observed only once there is a car with a phone.
            if observer == nil {
                observer = await desk.engine.observe { changes in if changes.contains(where: \.isOfPhone) { signal.yield() } }.id
            }
            while desk.engine.phonesNeedTime, (try? await desk.engine.time.sleep(until: now.addingTimeInterval(1))) != nil {
                await passTime()
            }
        }
        if let observer { await desk.engine.removeObserver(observer) }
    }

    /// Applies to the cars all changes that are due now.
    func passTime() async { await desk.engine.passPhoneTime(settings) }
}

extension LocalFleetEngine {
    /// Whether any vehicle has a phone.
    nonisolated var hasPhones: Bool { held.withLock { !$0.engine.phoneOwners.isEmpty } }

    /// See `FleetEngineState.phonesNeedTime`.
    nonisolated var phonesNeedTime: Bool { held.withLock { $0.engine.phonesNeedTime } }

    /// Returns the vehicle whose phone has this key, and the time at which the key expires; nil if no phone has the key. `keyEnd` is nil if
    /// the key does not expire.
    nonisolated func phoneOwner(_ key: PhoneKey) -> (name: VehicleName, keyEnd: Date?)? {
        held.withLock { held in
            held.engine.phoneOwners[key].map { ($0, held.engine.vehicles[$0]?.phone?.keyEnd) }
        }
    }

    /// Returns the phones in a provider's vehicles.
    nonisolated func phones(of provider: String) -> [(name: VehicleName, phone: PhoneRecord)] {
        held.withLock { held in
            held.engine.phoneOwners.values.compactMap { name in
                guard name.provider == provider, let phone = held.engine.vehicles[name]?.phone else { return nil }
                return (name, phone)
            }
        }
    }

    /// Returns the serial number of the vehicle that has the name now; nil if no vehicle has it.
    nonisolated func vehicleSerial(_ name: VehicleName) -> UInt64? { held.withLock { $0.engine.vehicles[name]?.serial } }

    /// See `FleetEngineState.addPhone`.
    func addPhone(_ key: PhoneKey, isManual: Bool, end: Date?, to name: VehicleName) async throws(FleetEngineError) {
        try await change { state, now throws(FleetEngineError) in
            ((), try state.addPhone(key, isManual: isManual, end: end, to: name, now: now))
        }
    }

    /// See `FleetEngineState.revokePhone`.
    func revokePhone(of name: VehicleName) async throws(FleetEngineError) {
        try await change { state, now throws(FleetEngineError) in ((), try state.revokePhone(of: name, now: now)) }
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
                note([MadeCall(request: .updateVehicle(FleetEngineState.refused(fixes, of: name)), result: .failure(error))], since: start)
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
