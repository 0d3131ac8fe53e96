public import ArgumentParser
import FoundationEssentials
import Glibc
public import JourneySharing
import TripWatchApp

/// How things are told.
struct OutputOptions: ParsableArguments {
    enum Style: String, ExpressibleByArgument, CaseIterable {
        case screen, plain, json
    }

    @Option(
        help: ArgumentHelp(
            "The screen, or one line per change for people (plain) or programs (json). By default the screen on a terminal, else plain.",
            valueName: "style"))
    var output: Style?

    @Option(help: ArgumentHelp("Tell that many times a second where the car would be drawn (json only).", valueName: "hz"))
    var drawn: Double?

    @Option(help: ArgumentHelp("Measures: metric, us or uk. By default those of the locale.", valueName: "system"))
    var units: MeasurementSystem?

    func validate() throws {
        if let drawn, !(drawn > 0 && drawn <= 60) { throw ValidationError("--drawn is a number of frames a second, above 0 and up to 60.") }
        if drawn != nil, output != .json { throw ValidationError("--drawn goes with --output json.") }
    }

    mutating func complete(from configuration: Configuration) { units = units ?? configuration.measurementSystem }

    /// Whether the screen is to be tried.
    var wantsScreen: Bool {
        output.map { $0 == .screen } ?? (isatty(STDOUT_FILENO) == 1 && isatty(STDIN_FILENO) == 1 && !Self.wantsSentences)
    }

    /// The lines that take the screen's place.
    var lineStyle: TripTeller.Style {
        if output == .json { return .json }
        return Self.wantsSentences ? .sentences : .plain
    }

    func plainOptions(tripCount: Int) -> PlainOutput.Options {
        PlainOutput.Options(secondsFromGMT: LocalZone.secondsFromGMT, measurementSystem: measurementSystem, showsTrip: tripCount > 1)
    }

    var measurementSystem: MeasurementSystem { units ?? LocalText.measurementSystem }

    /// Whether the user listens instead of looking: `ACCESSIBLE=1`.
    static var wantsSentences: Bool {
        ProcessInfo.processInfo.environment["ACCESSIBLE"].map { !$0.isEmpty && $0 != "0" } ?? false
    }
}

extension MeasurementSystem: ExpressibleByArgument {}
