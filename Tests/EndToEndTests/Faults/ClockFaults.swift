import Foundation
import Testing

@testable import ProgramHarness

/// The wall clock of a scenario's program. The test sets it, as a person or a time server would do.
enum SteppedClock {
    /// The environment variables that load the clock into a program.
    static let setting = ["LD_PRELOAD": "{folder}/clock.so", "CLOCK_STEP": "{folder}/step"]

    /// Builds the clock, and checks that the test can set it.
    static func prepare(_ scene: FaultScene) throws {
        let source = Program.package.appending(path: "Tests/EndToEndTests/Fixtures/clock-step.c").path
        let build = #"exec "$(command -v clang || command -v cc)" -shared -fPIC -o "$0/clock.so" "$1""#
        _ = try output("/bin/sh", ["-c", build, scene.folder.path, source], [:])
        try set(3_600, scene)
        let variables = setting.mapValues(scene.filled)
        let shown = try #require(Double(try output("/bin/date", ["+%s"], variables).trimmingCharacters(in: .newlines)))
        try #require(abs(shown - Date().timeIntervalSince1970 - 3_600) < 60, "the clock cannot be set")
        try set(0, scene)
    }

    /// Sets the clock to a number of seconds ahead of the system's clock.
    static func set(_ seconds: Int, _ scene: FaultScene) throws { _ = try scene.folder.write("step", "\(seconds)\n") }

    private static func output(_ path: String, _ arguments: [String], _ variables: [String: String]) throws -> String {
        let (process, pipe) = (Process(), Pipe())
        process.executableURL = URL(filePath: path)
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging(variables) { $1 }
        process.standardOutput = pipe
        try process.run()
        let text = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        try #require(process.terminationStatus == 0, "\(path) \(arguments)")
        return text
    }
}

/// Faults in which the computer's clock is set forward or back by an hour while the program runs.
enum ClockFaults {
    private static let engine = ["--endpoint", "{engine}", "--plaintext"]

    private static func row(
        _ command: String, _ seconds: Int, _ start: String, _ news: String, _ arguments: [String], absent: [String],
        isOnScreen: Bool = false, hasCar: Bool = true, departure: FaultRow.Departure = .asked(),
        change: @escaping @Sendable (FaultScene) throws -> Void = { try $0.setStatus("ENROUTE_TO_PICKUP") }
    ) -> FaultRow {
        FaultRow(
            command: command, fault: "the clock is set an hour \(seconds > 0 ? "forward" : "back")", words: "",
            course: .struck(after: start, news: news), arguments: arguments + engine, isOnScreen: isOnScreen,
            setting: SteppedClock.setting, ownsEngine: true, departure: departure,
            prepare: { scene in
                try SteppedClock.prepare(scene)
                guard hasCar else { return }
                try scene.reportCar()
                try scene.assign()
            },
            strike: { scene, _ in
                try SteppedClock.set(seconds, scene)
                if hasCar { try scene.reportCar() }
            }, heal: { scene, _ in try change(scene) }, absent: absent)
    }

    private static let json = ["follow", "{trip}", "--output", "json", "--interval", "1"]
    private static let lines = ["follow", "{trip}", "--output", "plain", "--interval", "1"]
    private static let screen = ["follow", "{trip}", "--interval", "1"]
    private static let wait = ["wait", "{trip}", "--until", "here", "--json", "--verbose", "--interval", "1"]
    private static let drive = [
        "drive", "--vehicle", "{vehicle}", "--simulate", "--create", "--route", "-36.0000,-20.0000;-35.9400,-20.0000", "--provider", "demo",
    ]
    private static let live = #""state":"live""#
    private static let moving = #""status":"ENROUTE_TO_PICKUP""#
    private static let states = [#""state":"quiet""#, #""state":"not_live""#, #""state":"offline""#, #""event":"error""#]
    private static let words = ["quiet", "offline", "Connection lost"]

    static let rows: [FaultRow] = [3_600, -3_600].flatMap { seconds in
        [
            row("follow, JSON", seconds, live, moving, json, absent: states),
            row("follow, lines", seconds, "assigned", "moving", lines, absent: words),
            row("follow, screen", seconds, "Car assigned", "On the way to you", screen, absent: words, isOnScreen: true),
            row("wait", seconds, "rpc=GetTrip", #""reached":true"#, wait, absent: ["Trying again"], departure: .alone(0)) {
                try $0.setStatus("ARRIVED_AT_PICKUP")
            },
            row("drive", seconds, " online", "status      ENROUTE_TO_PICKUP", drive, absent: ["Trying again"], hasCar: false) {
                try $0.assign()
            },
        ]
    }
}

extension FaultScene {
    /// Reports a position of the scene's car, which stands at the pickup. The first report creates the car.
    fileprivate func reportCar() throws { try calls.put("car-\(id)", at: (latitude: -36.005, longitude: -19.99)) }
}

@Suite("Fault table: clocks", .timeLimit(.minutes(15)))
struct ClockFaultTableTests {
    @Test("if the wall clock is set by an hour, no news is delayed and the text about the car does not change")
    func clocks() async throws { try await FaultTable.run(ClockFaults.rows) }
}
