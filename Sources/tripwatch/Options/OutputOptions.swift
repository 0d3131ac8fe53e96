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

    /// Whether the screen is to be tried.
    var wantsScreen: Bool { output.map { $0 == .screen } ?? (isatty(STDOUT_FILENO) == 1 && isatty(STDIN_FILENO) == 1) }

    func plainOptions(tripCount: Int) -> PlainOutput.Options {
        PlainOutput.Options(secondsFromGMT: LocalZone.secondsFromGMT, measurementSystem: measurementSystem, showsTrip: tripCount > 1)
    }

    var measurementSystem: MeasurementSystem {
        let environment = ProcessInfo.processInfo.environment
        let locale = ["LC_MEASUREMENT", "LC_ALL", "LANG"].compactMap { environment[$0] }.first { !$0.isEmpty } ?? ""
        return units ?? MeasurementSystem(posixLocale: locale)
    }
}

extension MeasurementSystem: ExpressibleByArgument {}
