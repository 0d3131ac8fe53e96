package import FleetEngine
import FleetEngineGRPC
import FoundationEssentials
package import JourneySharing
package import ProgramSurroundings
package import TripWatchWords

/// Reads a trip once, and prints it on one line.
package struct StatusRun: Sendable {
    package enum Form: Sendable {
        /// A line for people. With a screen reader, it is a sentence.
        case line
        case template(StatusTemplate)
        case waybar
        case tmux
        case json

        /// Whether the line is JSON for programs. Such a line contains values that change every second; a change of these values alone
        /// prints no new line.
        var isForPrograms: Bool { if case .json = self { true } else { false } }
    }

    package var name: TripName
    package var form: Form
    package var connection: Connection
    /// The units of distances; nil for the locale's.
    package var units: MeasurementSystem?
    /// The name of the trip in the output.
    package var title: String?
    /// The kind of the trip if its attributes do not state one; nil for a ride.
    package var tripKind: TripKind?
    /// The interval between requests; nil to send only one request.
    package var watch: Pace?

    package init(name: TripName, form: Form, connection: Connection, units: MeasurementSystem?, title: String?) {
        self.name = name
        self.form = form
        self.connection = connection
        self.units = units
        self.title = title
    }

    package func perform(in surroundings: Surroundings) async throws -> ProgramEnd {
        guard let watch else { return try await askOnce(in: surroundings) }
        watch.sayWhatIsRaised(for: connection.endpoint, in: surroundings)
        return .code(
            try await ClientSession.run(connection, in: surroundings) { client in
                try await StatusWatch(run: self, pace: watch, client: client, surroundings: surroundings).run()
            })
    }

    private func askOnce(in surroundings: Surroundings) async throws -> ProgramEnd {
        let (trip, vehicle) = try await ClientSession.run(
            connection, in: surroundings, tokenSeconds: ClientSession.tokenSeconds, onFailure: { tellBar($0, in: surroundings) }
        ) { client in
            try await ClientSession.tripAndVehicle(name, client: client, at: connection.endpoint.description, in: surroundings)
        }
        let now = surroundings.clock(1).now()
        let state = surroundings.stateFile
        var journey = JourneyTracker(tripName: name, progress: state?.progress[name], fallbackKind: tripKind)
        journey.arrivalShownElsewhere = state?.arrivalsShown(now: now)[name]
        let changed = TripPropertyFields(from: nil, to: trip)
        journey.observe(TripUpdate(name: name, time: now, kind: .trip(trip, changed: changed)))
        state?.note(trip.status.isFinal ? nil : journey.progress.mark, for: name, now: now)
        state?.update(name, now: now) { $0.note(journey, title: nil, at: now) }
        surroundings.streams.print(line(report(journey, vehicle: vehicle, now: now, in: surroundings), in: surroundings))
        return .code(trip.status == .canceled ? ExitCodes.tripCanceled : ExitCodes.success)
    }

    /// Prints a failure in a status bar, because the bar would otherwise keep an old line.
    private func tellBar(_ error: FleetEngineError, in surroundings: Surroundings) {
        if let line = failureLine(error, in: surroundings) { surroundings.streams.print(line) }
    }

    /// Returns the line about a failure for a status bar; nil for all formats that are not for status bars.
    func failureLine(_ error: FleetEngineError, in surroundings: Surroundings) -> String? {
        let failure = StatusFailure(error, isASCII: !surroundings.locale.isUTF8)
        return switch form {
        case .waybar: failure.waybarLine
        case .tmux: failure.tmuxLine
        case .line, .template, .json: nil
        }
    }

    func report(_ journey: JourneyTracker, vehicle: Vehicle?, now: Date, in surroundings: Surroundings) -> StatusReport {
        StatusReport(
            journey, vehicle: vehicle, now: now,
            options: StatusReport.Options(
                secondsFromGMT: LocalZone.secondsFromGMT, measurementSystem: units ?? surroundings.locale.measurementSystem,
                isASCII: !surroundings.locale.isUTF8, title: title))
    }

    func line(_ report: StatusReport, in surroundings: Surroundings) -> String {
        switch form {
        case .template(let template): return template.line(report)
        case .waybar: return report.waybarLine
        case .tmux: return report.tmuxLine
        case .json: return report.jsonLine
        case .line: break
        }
        guard surroundings.wantsSentences else { return report.line }
        let system = units ?? surroundings.locale.measurementSystem
        let options = PlainOutput.Options(secondsFromGMT: LocalZone.secondsFromGMT, measurementSystem: system)
        return SpokenOutput(options: options).summary(report.journey, time: report.now)
    }
}
