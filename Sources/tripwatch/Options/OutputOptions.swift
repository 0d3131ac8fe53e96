public import ArgumentParser
public import JourneySharing
import TripWatchApp
package import TripWatchRuntime

/// How things are told.
struct OutputOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The screen, or one line per change for people (plain) or programs (json). By default the screen on a terminal, else plain.",
            valueName: "style"))
    var output: OutputSettings.Style?

    @Option(help: ArgumentHelp("Tell that many times a second where the car would be drawn (json only).", valueName: "hz"))
    var drawn: Double?

    @Option(help: ArgumentHelp("Measures: metric, us or uk. By default those of the locale.", valueName: "system"))
    var units: MeasurementSystem?

    func validate() throws {
        if let drawn, !(drawn > 0 && drawn <= 60) { throw ValidationError("--drawn is a number of frames a second, above 0 and up to 60.") }
        if drawn != nil, output != .json { throw ValidationError("--drawn goes with --output json.") }
    }

    mutating func complete(from configuration: Configuration) { units = units ?? configuration.measurementSystem }

    var settings: OutputSettings { OutputSettings(style: output, framesPerSecond: drawn, units: units) }
}

extension MeasurementSystem: ExpressibleByArgument {}
extension OutputSettings.Style: ExpressibleByArgument {}
