package import FleetEngine
import FoundationEssentials
import Geo
import TripWatchScreen

/// Asks for vehicles that serve none of the trips on the screen, again and again, and tells what came of it.
@MainActor
package final class FleetWatch {
    /// What is asked for now.
    package enum Question: Sendable {
        /// Those of a provider that pass a filter.
        case list(FleetQuery)
        /// Each by its name.
        case vehicles([VehicleName])
        /// Those that could take a rider.
        case near(NearbyQuery)
    }

    /// Between two questions at least, seconds: a list of many vehicles is not a trip's answer.
    static let shortestIntervalSeconds = 2.0

    private let client: any FleetClient
    private let interval: Double
    private var pace = RetryPace()
    private var random = SeededRandom(seed: UInt64.random(in: 0 ... .max))
    private var pause: Task<Void, Never>?

    init(client: any FleetClient, interval: Double) { (self.client, self.interval) = (client, max(interval, Self.shortestIntervalSeconds)) }

    /// Ends the present pause.
    func askNow() { pause?.cancel() }

    /// Goes on until its task is cancelled.
    /// - Parameters:
    ///   - question: what is to be asked for next; nil for nothing at present.
    ///   - tell: told each answer.
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
