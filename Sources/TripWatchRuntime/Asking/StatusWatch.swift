import FleetEngine
import FleetEngineGRPC
import FoundationEssentials
import JourneySharing
import ProgramSurroundings
import TripWatchWords

/// Prints a trip's status on every change, until the trip has ended or an error requires action.
@MainActor
struct StatusWatch {
    let run: StatusRun
    let pace: Pace
    let client: any ConsumerClient
    let surroundings: Surroundings

    private enum Event: Sendable {
        case update(TripUpdate)
        case vehicle(Vehicle)
        case tick
        case ended
    }

    /// Runs until the trip has ended.
    /// - Returns: the exit code.
    /// - Throws: `Failure` for an error that needs the user's action.
    func run() async throws -> Int32 {
        let time = surroundings.clock(1)
        let service = TripService(
            client: client, time: time, minimumInterval: Pace.minimumSeconds(for: run.connection.endpoint))
        let model = service.tripModel(for: run.name, options: TripModelOptions(autoRefreshTimeInterval: pace.seconds))
        let (events, input) = AsyncStream.makeStream(of: Event.self)
        let feeds = feed(input, from: model, time)
        defer { for task in feeds { task.cancel() } }
        let state = surroundings.stateFile
        var journey = JourneyTracker(
            tripName: run.name, pollIntervalSeconds: model.pollIntervalSeconds, progress: state?.progress[run.name],
            fallbackKind: run.tripKind)
        journey.arrivalShownElsewhere = state?.arrivalsShown(now: time.now())[run.name]
        var vehicle: Vehicle?
        let firstFailure = FirstFailure(at: run.connection.endpoint.description, surroundings.streams)
        var last = ""
        for await event in events {
            let now = time.now()
            switch event {
            case .tick:
                surroundings.streams.endWithoutReader()
                journey.tick(now: now)
            case .ended: return ExitCodes.failed
            case .vehicle(let found): vehicle = found.name.vehicle == journey.trip?.vehicleID ? found : nil
            case .update(let update):
                let car = journey.trip?.vehicleID
                journey.observe(update)
                if case .failure(let failure) = update.kind { try note(failure, journey, firstFailure, &last) }
                if let id = journey.trip?.vehicleID, id != car { fetch(id) { input.yield(.vehicle($0)) } }
            }
            guard let trip = journey.trip else { continue }
            let report = run.report(journey, vehicle: vehicle, now: now, in: surroundings)
            if show(report, &last) {
                state?.note(trip.status.isFinal ? nil : journey.progress.mark, for: run.name, now: now)
            }
            if trip.status.isFinal { return trip.status == .canceled ? ExitCodes.tripCanceled : ExitCodes.success }
        }
        return ExitCodes.failed
    }

    /// Sends the trip's updates and a tick every second, until the returned tasks are cancelled.
    private func feed(_ input: AsyncStream<Event>.Continuation, from model: TripModel, _ time: any TimeSource) -> [Task<Void, Never>] {
        let reading = Task {
            for await update in model.updates { input.yield(.update(update)) }
            input.yield(.ended)
        }
        let ticking = Task {
            while !Task.isCancelled, (try? await time.sleep(seconds: 1)) != nil { input.yield(.tick) }
        }
        return [reading, ticking]
    }

    /// Prints a line unless it equals the last line. In lines for programs, values that change every second are not compared.
    /// - Returns: whether the line was printed.
    private func show(_ report: StatusReport, _ last: inout String) -> Bool {
        let sign = run.form.isForPrograms ? report.jsonLineWithoutClocks : run.line(report, in: surroundings)
        guard sign != last else { return false }
        last = sign
        surroundings.streams.print(run.line(report, in: surroundings))
        return true
    }

    /// Reports a failure. A failure that needs the user's action ends the command. A status bar shows only such failures, and
    /// failures before the first answer.
    private func note(_ failure: PollFailure, _ journey: JourneyTracker, _ firstFailure: FirstFailure, _ last: inout String) throws {
        let code = failure.isWithinGrace ? nil : failure.errorClass.exitCode(for: failure.error)
        if code == nil { firstFailure.say(failure) }
        guard code != nil || journey.trip == nil else { return }
        if let line = run.failureLine(failure.error, in: surroundings), line != last {
            last = line
            surroundings.streams.print(line)
        }
        if let code { throw Failure(message: FailureWords(failure).sentence(at: run.connection.endpoint.description), exitCode: code) }
    }

    private func fetch(_ id: String, _ tell: @escaping @Sendable (Vehicle) -> Void) {
        guard let name = try? VehicleName(provider: run.name.provider, vehicle: id) else { return }
        Task { if let found = try? await client.getVehicle(name) { tell(found) } }
    }
}
