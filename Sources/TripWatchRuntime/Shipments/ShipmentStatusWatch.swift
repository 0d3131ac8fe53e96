import FleetEngine
import FleetEngineGRPC
import FoundationEssentials
import JourneySharing
import ProgramSurroundings
import TripWatchWords

/// Prints a shipment's status on every change, until the shipment has ended or an error requires action.
@MainActor
struct ShipmentStatusWatch {
    let run: ShipmentStatusRun
    let pace: Pace
    let client: any ShipmentClient
    let surroundings: Surroundings

    private enum Event: Sendable {
        case update(ShipmentUpdate)
        case tick
    }

    /// The last printed line, and whether a failure was reported.
    private struct Told {
        var line = ""
        var isFailureSaid = false
    }

    /// Runs until the shipment has ended.
    /// - Returns: the exit code.
    /// - Throws: `Failure` for an error that needs the user's action.
    func run() async throws -> Int32 {
        let time = surroundings.clock(1)
        let service = ShipmentService(client: client, time: time, minimumInterval: Pace.minimumSeconds(for: run.connection.endpoint))
        let model = service.shipmentModel(for: run.name, options: ShipmentModelOptions(autoRefreshTimeInterval: pace.seconds))
        let (events, input) = AsyncStream.makeStream(of: Event.self)
        let feeds = feed(input, from: model, time)
        defer { for task in feeds { task.cancel() } }
        var tracker = ShipmentTracker(name: run.name, pollIntervalSeconds: model.pollIntervalSeconds)
        var told = Told()
        for await event in events {
            switch event {
            case .tick:
                surroundings.streams.endWithoutReader()
                tracker.tick(now: time.now())
            case .update(let update):
                tracker.pollIntervalSeconds = model.pollIntervalSeconds
                tracker.observe(update)
                if case .failure(let failure) = update.kind { try note(failure, tracker, &told) }
                if case .ended(let shipment) = update.kind {
                    show(tracker, now: time.now(), &told)
                    return ShipmentStatusRun.exitCode(of: shipment)
                }
            }
            if tracker.shipment != nil { show(tracker, now: time.now(), &told) }
        }
        return ExitCodes.failed
    }

    /// Sends the shipment's updates and a tick every second, until the returned tasks are cancelled.
    private func feed(_ input: AsyncStream<Event>.Continuation, from model: ShipmentModel, _ time: any TimeSource) -> [Task<Void, Never>] {
        let reading = Task {
            for await update in model.updates { input.yield(.update(update)) }
            input.finish()
        }
        let ticking = Task {
            while !Task.isCancelled, (try? await time.sleep(seconds: 1)) != nil { input.yield(.tick) }
        }
        return [reading, ticking]
    }

    /// Prints a line unless it equals the last line. In lines for programs, values that change every second are not compared.
    private func show(_ tracker: ShipmentTracker, now: Date, _ told: inout Told) {
        let report = run.report(tracker, now: now, in: surroundings)
        let line = run.line(report, in: surroundings)
        let sign = run.form.isForPrograms ? report.jsonLineWithoutClocks : line
        guard sign != told.line else { return }
        told.line = sign
        surroundings.streams.print(line)
    }

    /// Reports a failed poll. A failure that needs the user's action ends the command. A status bar shows only such failures, and
    /// failures before the first answer.
    private func note(_ failure: PollFailure, _ tracker: ShipmentTracker, _ told: inout Told) throws {
        let code = failure.isWithinGrace ? nil : failure.errorClass.exitCode(for: failure.error)
        let words = ShipmentFailureWords(failure, of: run.name).sentence(at: run.connection.endpoint.description)
        if code == nil, !failure.isWithinGrace, !told.isFailureSaid {
            told.isFailureSaid = true
            surroundings.streams.say("tripwatch: \(words) Trying again in \(TripWords.age(failure.retryInSeconds.rounded(.up))).")
        }
        guard code != nil || tracker.shipment == nil else { return }
        if let line = run.failureLine(failure.error, in: surroundings), line != told.line {
            told.line = line
            surroundings.streams.print(line)
        }
        if let code { throw Failure(message: words, exitCode: code) }
    }
}
