public import FleetEngine
public import FleetEngineAPI
import FleetEngineCore
import FoundationEssentials
import Synchronization

// A search examines many vehicles. It locks the engine briefly for each one, so that other calls do not wait for the whole
// search.
extension LocalFleetEngine {
    /// Answers from the state on disk: waits for unstored changes, and searches again if some of them were undone.
    ///
    /// - Parameter look: searches the state. It locks the engine itself, briefly and several times. So the state may change
    ///   during the search.
    nonisolated func search<Answer: Sendable>(
        _ look: @escaping @Sendable (Date) throws(FleetEngineError) -> Answer
    ) async throws(FleetEngineError) -> Answer {
        while true {
            let now = time.now()
            let undone = held.withLock { $0.undoCount }
            let answer: Result<Answer, FleetEngineError>
            do throws(FleetEngineError) {
                answer = .success(try await SearchThreads.pool.run { () throws(FleetEngineError) in try look(now) })
            } catch {
                answer = .failure(error)
            }
            let (ticket, isUndone) = held.withLock { ($0.ticket { _, _ in true }, $0.undoCount != undone) }
            if isUndone { continue }
            if let ticket, !(await ticket.isStored) { continue }
            return try answer.get()
        }
    }

    /// See `FleetEngineState.listVehicles`.
    public nonisolated func listVehicles(_ request: WireListVehiclesRequest) async throws(FleetEngineError) -> WireListVehiclesResponse {
        let limits = held.withLock { $0.engine.options.limits }
        return try await search { [self] now throws(FleetEngineError) in
            let listing = try VehicleListing(request, limits: limits, now: now)
            let rows = held.withLock { $0.engine.vehicleIndex.fleet(of: listing.provider).all }
            return listing.list(of: rows) { names in held.withLock { held in names.compactMap { held.engine.vehicles[$0] } } }
        }.response
    }

    /// Selects the candidates of a search for vehicles. A second step compares them exactly.
    nonisolated func shortlist(_ request: WireSearchVehiclesRequest) async throws(FleetEngineError) -> VehicleSearch {
        let straightLine = held.withLock { $0.engine.straightLine }
        return try await search { [self] now throws(FleetEngineError) in
            var search = try VehicleSearch(request, straightLine: straightLine, now: now)
            let cells = held.withLock { $0.engine.vehicleIndex.fleet(of: search.provider).cells }
            search.find(in: cells) { name in held.withLock { $0.engine.vehicleWithTrips(name) } }
            return search
        }
    }
}
