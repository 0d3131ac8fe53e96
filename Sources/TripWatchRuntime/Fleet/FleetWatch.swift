package import FleetEngine
import FoundationEssentials
import Geo
import TripWatchScreen
import TripWatchWords

/// Polls vehicles that serve no trip on the screen, and reports the answers.
@MainActor
package final class FleetWatch {
    /// A request for vehicles.
    package enum Question: Sendable {
        /// Vehicles of a provider that match a filter.
        case list(FleetQuery)
        /// Vehicles that are given by their names.
        case vehicles([VehicleName])
        /// Free vehicles near a rider.
        case near(NearbyQuery)
    }

    /// The minimum time between two requests, in seconds. It is longer than for a trip, because a list of vehicles can be large.
    static let shortestIntervalSeconds = 2.0

    private let client: any FleetClient
    private let interval: Double
    private var pace = RetryPace()
    private var random = SeededRandom(seed: UInt64.random(in: 0 ... .max))
    private var pause: Task<Void, Never>?

    init(client: any FleetClient, interval: Double) { (self.client, self.interval) = (client, max(interval, Self.shortestIntervalSeconds)) }

    /// Ends the pause between requests, so that the next request is sent now.
    func askNow() { pause?.cancel() }

    /// Polls the server until the task is cancelled.
    /// - Parameters:
    ///   - question: returns the next request; nil to send no request now.
    ///   - tell: receives each answer or failure, and the request that led to it.
    func run(_ question: () -> Question?, tell: (FleetNews, Question) -> Void) async {
        while !Task.isCancelled {
            var seconds = interval
            if let question = question() {
                do throws(FleetEngineError) {
                    let (vehicles, isComplete) = try await Self.answer(question, from: client)
                    pace.reset()
                    guard !Task.isCancelled else { return }
                    tell(.vehicles(vehicles, isComplete: isComplete), question)
                } catch {
                    guard !Task.isCancelled else { return }
                    tell(.failure(error), question)
                    seconds = pace.delaySeconds(after: error, intervalSeconds: interval, random: &random)
                }
            }
            let pause = Task { [seconds] in _ = try? await Task.sleep(for: .seconds(seconds)) }
            self.pause = pause
            await withTaskCancellationHandler {
                await pause.value
            } onCancel: {
                pause.cancel()
            }
        }
    }

    package nonisolated static func answer(
        _ question: Question, from client: any FleetClient
    ) async throws(FleetEngineError) -> (vehicles: [Vehicle], isComplete: Bool) {
        switch question {
        case .list(let query): return try await client.listVehicles(query)
        case .near(let query): return (try await client.searchVehicles(query), true)
        case .vehicles(let names):
            var found: [Vehicle] = []
            for name in names { found.append(try await client.getVehicle(name)) }
            return (found, true)
        }
    }
}
