import FleetEngine
import FleetEngineAPI
import FleetEngineCore
package import FleetEngineSnapshot
import FleetEngineWire
import FoundationEssentials
import Synchronization

/// The provider's backend for deliveries. It holds the manifests of a day, and knows which driver's app has taken which manifest.
///
/// The engine stores the state of each vehicle's stops. The texts of the manifests and the ids of the apps are kept only in memory.
/// A new plan replaces them.
package final class DeliveryDesk: Sendable {
    struct Plan {
        var manifests: [ManifestBody] = []
        /// The ids of the apps that have taken a manifest. The key is the bare id of the manifest's vehicle.
        var clients: [String: String] = [:]

        func manifest(_ vehicle: String) -> ManifestBody? { manifests.first { $0.vehicle.vehicleId == vehicle } }

        /// Gives a manifest to an app.
        /// - Parameter absent: the bare ids of the vehicles that do not exist. An app cannot take or keep the manifest of such a vehicle.
        /// - Returns: the bare id of the vehicle.
        mutating func take(_ vehicle: String?, without absent: Set<String>, for client: String) throws(FleetEngineError) -> String {
            if let own = clients.first(where: { $0.value == client })?.key, absent.contains(own) { clients[own] = nil }
            if let own = clients.first(where: { $0.value == client })?.key {
                guard vehicle == nil || vehicle == own else {
                    throw FleetEngineError(code: .permissionDenied, message: "this client has the manifest of another vehicle")
                }
                return own
            }
            let taken = clients
            let free = manifests.lazy.map(\.vehicle.vehicleId).first { taken[$0] == nil && !absent.contains($0) }
            guard let id = vehicle ?? free else {
                throw FleetEngineError(code: .notFound, message: "no manifest is free")
            }
            guard manifest(id) != nil, !absent.contains(id) else { throw .notFound("manifest", id) }
            guard clients[id] == nil else {
                throw FleetEngineError(code: .permissionDenied, message: "another client has this manifest")
            }
            clients[id] = client
            return id
        }
    }

    /// Maximum size of an app's id, in bytes.
    static let clientBytes = 256

    let provider: String
    let engine: LocalFleetEngine
    private let start = Mutex<[ManifestBody]>([])
    private let plan = Mutex(Plan())

    init(provider: String, engine: LocalFleetEngine) {
        self.provider = provider
        self.engine = engine
    }

    /// Sets the initial plan. The engine must already have the plan's tasks and vehicles.
    package func begin(with manifest: DeliveryManifest) {
        start.withLock { $0 = manifest.bodies }
        restart()
    }

    /// Goes back to the initial plan. No app has a manifest then.
    func restart() {
        let manifests = start.withLock { $0 }
        plan.withLock { $0 = Plan(manifests: manifests) }
    }

    // MARK: Manifests

    /// Replaces the plan, and creates its vehicles and tasks. The engine's time is appended to their ids, so that the same plan
    /// can be sent again.
    ///
    /// - Throws: INVALID_ARGUMENT or RESOURCE_EXHAUSTED with the path of the refused value in the plan; ALREADY_EXISTS. The
    ///   engine and the plan are then unchanged.
    func replace(with json: [UInt8]) async throws(FleetEngineError) -> [ManifestBody] {
        let milliseconds = Int64(min(max(engine.time.now().timeIntervalSince1970, 0), 253_402_300_799) * 1_000)
        let manifest = try await DecodingThread.run(json.count) { [provider] () throws(FleetEngineError) in
            try DeliveryManifest(json: json, provider: provider, suffix: "_\(milliseconds)")
        }
        do throws(FleetEngineError) {
            try await engine.checkLoad(manifest.snapshot)
        } catch {
            throw FleetEngineError(code: error.code, message: manifest.words(error), details: error.details)
        }
        try await engine.change { state, now throws(FleetEngineError) in ((), try state.carryOut(manifest, now: now)) }
        plan.withLock { $0 = Plan(manifests: manifest.bodies) }
        return try await manifests()
    }

    /// Returns all manifests, with the current state of their vehicles and stops. A manifest is left out if its vehicle was
    /// deleted.
    func manifests() async throws(FleetEngineError) -> [ManifestBody] {
        var found: [ManifestBody] = []
        for manifest in plan.withLock({ $0.manifests }) {
            do throws(FleetEngineError) {
                found.append(try await present(manifest))
            } catch {
                guard error.code == .notFound else { throw error }
            }
        }
        return found
    }

    /// Returns the manifest of a vehicle, with the current state of the vehicle and its stops.
    /// - Parameter vehicle: the bare id of the vehicle.
    /// - Throws: NOT_FOUND.
    func manifest(_ vehicle: String) async throws(FleetEngineError) -> ManifestBody {
        guard let manifest = plan.withLock({ $0.manifest(vehicle) }) else { throw .notFound("manifest", vehicle) }
        return try await present(manifest)
    }

    /// Gives an app the manifest of a vehicle. An app that already has a manifest gets the same manifest again, unless the
    /// vehicle was deleted.
    ///
    /// - Parameter vehicle: the bare id of the vehicle; nil for any manifest that is free.
    /// - Throws: PERMISSION_DENIED if another app has the manifest, or if this app has the manifest of another vehicle; NOT_FOUND;
    ///   INVALID_ARGUMENT if the app's id is empty or too long.
    func take(_ vehicle: String?, for client: String) async throws(FleetEngineError) -> ManifestBody {
        guard (1...Self.clientBytes).contains(client.utf8.count) else {
            throw .invalid("client_id", "client_id must have 1 to \(Self.clientBytes) bytes")
        }
        let absent = try await absentVehicles(of: plan.withLock { $0.manifests.map(\.vehicle.vehicleId) })
        let id = try plan.withLock { plan throws(FleetEngineError) in try plan.take(vehicle, without: absent, for: client) }
        return try await manifest(id)
    }

    /// Changes a vehicle's stops: first the list of stops, then the state of the first stop.
    ///
    /// - Parameters:
    ///   - remaining: the ids of the remaining stops in their order; nil to keep them. A stop that is missing from the list
    ///     counts as done.
    ///   - state: the state of the first stop; nil to keep it.
    /// - Throws: NOT_FOUND for an unknown vehicle or stop. INVALID_ARGUMENT if a state is given but no stop remains.
    func update(_ vehicle: String, remaining: [String]?, state: VehicleStopState?) async throws(FleetEngineError) -> ManifestBody {
        guard let manifest = plan.withLock({ $0.manifest(vehicle) }) else { throw .notFound("manifest", vehicle) }
        var stops = try await self.vehicle(vehicle).remainingVehicleJourneySegments
        if let remaining { stops = try manifest.segments(remaining, of: stops) }
        if let state {
            guard let first = stops.indices.first else { throw .invalid("current_stop_state", "the vehicle has no stops left") }
            stops[first].stop.state = state.wire
        }
        _ = try await setStops(of: vehicle, stops)
        return try await self.manifest(vehicle)
    }

    /// Returns the task with this id, as described in its manifest; nil if no manifest contains the task.
    func plannedTask(_ id: String) -> ManifestBody.Task? { plannedTask { $0.taskId == id } }

    /// Returns the task with this tracking id, as described in its manifest; nil if no manifest contains the task.
    func plannedTask(tracking id: String) -> ManifestBody.Task? { plannedTask { $0.trackingId == id } }

    private func plannedTask(where matches: (ManifestBody.Task) -> Bool) -> ManifestBody.Task? {
        for manifest in plan.withLock({ $0.manifests }) {
            if let task = manifest.tasks.first(where: matches) { return task }
        }
        return nil
    }

    private func present(_ manifest: ManifestBody) async throws(FleetEngineError) -> ManifestBody {
        let id = manifest.vehicle.vehicleId
        let run = try await engine.run(of: try Check.deliveryVehicleName("providers/\(provider)/deliveryVehicles/\(id)"))
        var present = manifest.present(in: run)
        present.clientId = plan.withLock { $0.clients[id] }
        return present
    }
}
