package import FleetEngine
import FleetEngineGRPC
import FoundationEssentials
package import JourneySharing
package import ProgramSurroundings
import TripWatchWords

/// Reads a shipment, once or repeatedly, and prints its status on one line.
package struct ShipmentStatusRun: Sendable {
    package var name: TaskTrackingName
    package var form: StatusRun.Form
    package var connection: Connection
    /// The units of distances; nil for the locale's.
    package var units: MeasurementSystem?
    /// The name of the shipment in output.
    package var title: String?
    /// The interval between requests; nil to send only one request.
    package var watch: Pace?

    package init(name: TaskTrackingName, form: StatusRun.Form, connection: Connection, units: MeasurementSystem?, title: String?) {
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
                try await ShipmentStatusWatch(run: self, pace: watch, client: client, surroundings: surroundings).run()
            })
    }

    private func askOnce(in surroundings: Surroundings) async throws -> ProgramEnd {
        let server = connection.endpoint.description
        let shipment = try await ClientSession.run(
            connection, in: surroundings, tokenSeconds: ClientSession.tokenSeconds, onFailure: { tellBar($0, in: surroundings) }
        ) { client in
            do {
                return try await ClientSession.asking(in: surroundings, at: server) { () throws(FleetEngineError) in
                    try await ask(client)
                }
            } catch let error as FleetEngineError where error.origin == .server {
                tellBar(error, in: surroundings)
                throw failure(error, at: server)
            }
        }
        let now = surroundings.clock(1).now()
        var tracker = ShipmentTracker(name: name)
        tracker.observe(ShipmentUpdate(name: name, time: now, kind: .shipment(shipment, changed: ShipmentFields(from: nil, to: shipment))))
        surroundings.stateFile?.update(name, now: now) { $0.note(tracker, at: now) }
        surroundings.streams.print(line(report(tracker, now: now, in: surroundings), in: surroundings))
        return .code(Self.exitCode(of: shipment))
    }

    /// Returns the exit code for the last state of a shipment.
    static func exitCode(of shipment: TaskTrackingInfo) -> Int32 {
        shipment.outcome == .failed ? ExitCodes.tripCanceled : ExitCodes.success
    }

    /// Reads the shipment. If the answer has no state, the shipment does not exist.
    private func ask(_ client: LiveFleetEngineClient) async throws(FleetEngineError) -> TaskTrackingInfo {
        let answer = try await client.getTaskTrackingInfo(name)
        guard answer.state != .unknown else {
            throw FleetEngineError(code: .notFound, message: "the server's answer has no state", origin: .server)
        }
        return answer
    }

    private func failure(_ error: FleetEngineError, at server: String) -> Failure {
        Failure(message: ShipmentFailureWords(error, of: name).sentence(at: server), exitCode: ClientSession.failure(error).exitCode)
    }

    /// Prints a failure in a status bar, because the bar would otherwise keep showing an old line.
    private func tellBar(_ error: FleetEngineError, in surroundings: Surroundings) {
        if let line = failureLine(error, in: surroundings) { surroundings.streams.print(line) }
    }

    /// Returns the line about a failure for a status bar; nil for all other formats.
    func failureLine(_ error: FleetEngineError, in surroundings: Surroundings) -> String? {
        let bar = StatusFailure(error, isASCII: !surroundings.locale.isUTF8)
        return switch form {
        case .waybar: bar.waybarLine
        case .tmux: bar.tmuxLine
        case .line, .template, .json: nil
        }
    }

    func report(_ tracker: ShipmentTracker, now: Date, in surroundings: Surroundings) -> ShipmentReport {
        ShipmentReport(
            tracker, now: now,
            options: StatusReport.Options(
                secondsFromGMT: LocalZone.secondsFromGMT, measurementSystem: units ?? surroundings.locale.measurementSystem,
                isASCII: !surroundings.locale.isUTF8, title: title))
    }

    func line(_ report: ShipmentReport, in surroundings: Surroundings) -> String {
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
        return ShipmentSpoken(options: options).summary(report.tracker, time: report.now)
    }
}
