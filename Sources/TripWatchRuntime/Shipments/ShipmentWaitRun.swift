package import FleetEngine
import FleetEngineGRPC
import FoundationEssentials
import JourneySharing
package import ProgramSurroundings
package import TripWatchWords

/// Waits until a shipment has reached the goal.
package struct ShipmentWaitRun: Sendable {
    package var name: TaskTrackingName
    package var goal: ShipmentGoal
    package var connection: Connection
    package var pace: Pace
    /// Whether to keep waiting after errors that require action, instead of ending.
    package var keepsTrying: Bool
    /// Whether to print the result as JSON.
    package var isJSON = false

    package init(name: TaskTrackingName, goal: ShipmentGoal, connection: Connection, pace: Pace, keepsTrying: Bool) {
        self.name = name
        self.goal = goal
        self.connection = connection
        self.pace = pace
        self.keepsTrying = keepsTrying
    }

    private enum Event: Sendable {
        case update(ShipmentUpdate)
        case tick
    }

    package func perform(in surroundings: Surroundings) async throws -> ProgramEnd {
        let code = try await ClientSession.run(connection, in: surroundings) { client in
            await wait(client, in: surroundings)
        }
        if isJSON, [ExitCodes.success, ExitCodes.tripCanceled].contains(code) {
            surroundings.streams.print(json: Ended(tracking: name.description, reached: code == ExitCodes.success))
        }
        return .code(code)
    }

    private struct Ended: Encodable {
        let tracking: String
        let reached: Bool
    }

    /// Waits for the goal.
    /// - Returns: the exit code.
    @MainActor
    private func wait(_ client: LiveFleetEngineClient, in surroundings: Surroundings) async -> Int32 {
        let time = surroundings.clock(1)
        let service = ShipmentService(client: client, time: time, minimumInterval: Pace.minimumSeconds(for: connection.endpoint))
        let model = service.shipmentModel(for: name, options: ShipmentModelOptions(autoRefreshTimeInterval: pace.seconds))
        let (events, input) = AsyncStream.makeStream(of: Event.self)
        let reading = Task {
            for await update in model.updates { input.yield(.update(update)) }
            input.finish()
        }
        let ticking = Task {
            while !Task.isCancelled, (try? await time.sleep(seconds: 1)) != nil { input.yield(.tick) }
        }
        defer {
            reading.cancel()
            ticking.cancel()
        }
        var tracker = ShipmentTracker(name: name, pollIntervalSeconds: model.pollIntervalSeconds)
        var isFailureSaid = false
        for await event in events {
            switch event {
            case .tick: tracker.tick(now: time.now())
            case .update(let update):
                tracker.pollIntervalSeconds = model.pollIntervalSeconds
                tracker.observe(update)
                if let code = exitCode(after: update, &isFailureSaid, surroundings) { return code }
            }
            if goal.isReached(by: tracker, now: time.now()) { return ExitCodes.success }
            if tracker.shipment?.outcome == .failed { return ExitCodes.tripCanceled }
        }
        return ExitCodes.failed
    }

    @MainActor
    private func exitCode(after update: ShipmentUpdate, _ isFailureSaid: inout Bool, _ surroundings: Surroundings) -> Int32? {
        switch update.kind {
        case .ended(let shipment): return ExitCodes.end(of: shipment)
        case .failure(let failure):
            let code = keepsTrying || failure.isWithinGrace ? nil : failure.errorClass.exitCode(for: failure.error)
            guard code != nil || !isFailureSaid && !failure.isWithinGrace else { return nil }
            isFailureSaid = true
            let retry = code != nil ? "" : " Trying again in \(TripWords.age(failure.retryInSeconds.rounded(.up)))."
            let words = ShipmentFailureWords(failure, of: name).sentence(at: connection.endpoint.description)
            surroundings.streams.say("tripwatch: \(words)\(retry)")
            return code
        case .replaced, .shipment, .recovered, .state: return nil
        }
    }
}
