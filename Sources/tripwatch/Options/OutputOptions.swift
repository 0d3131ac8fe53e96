public import ArgumentParser
public import JourneySharing
package import TripWatchRuntime
import TripWatchSettings

/// A type that lists the output styles of a command.
protocol OutputChoice: ExpressibleByArgument, CaseIterable, Sendable {
    static var help: String { get }
    var style: OutputSettings.Style { get }
}

/// The output options of a command that has a screen.
typealias OutputOptions = ChosenOutput<OutputSettings.Style>

/// The output styles of a driver's shift.
enum ShiftStyle: String, OutputChoice {
    case screen, plain

    static var help: String { "Show a screen, or print lines." }
    var style: OutputSettings.Style { self == .screen ? .screen : .plain }
}

/// Output options for a given set of styles.
struct ChosenOutput<Choice: OutputChoice>: ParsableArguments {
    @Option(name: .shortAndLong, help: ArgumentHelp(Choice.help, valueName: "style"))
    var output: Choice?

    @Flag(help: "Same as --output json.")
    var json = false

    @Option(help: ArgumentHelp("With json: also smoothed positions, HZ times a second.", valueName: "hz"))
    var drawn: Double?

    @Option(help: ArgumentHelp("Units (default: by locale).", valueName: "system"))
    var units: MeasurementSystem?

    func validate() throws {
        if let drawn, !(drawn > 0 && drawn <= 60) {
            throw ValidationError("--drawn must be a number of positions a second, above 0 and up to 60.")
        }
        if json, let output, output.style != .json { throw ValidationError("--json and --output \(output.style) cannot be combined.") }
        if drawn != nil, style != .json { throw ValidationError("--drawn needs --output json.") }
    }

    mutating func complete(from configuration: Configuration) { units = units ?? configuration.measurementSystem }

    /// The style that the flags request; nil if it depends on whether the output is a terminal.
    var style: OutputSettings.Style? { json ? .json : output?.style }

    var settings: OutputSettings { OutputSettings(style: style, framesPerSecond: drawn, units: units) }
}

extension MeasurementSystem: ExpressibleByArgument {}
extension OutputSettings.Style: OutputChoice {
    static var help: String {
        "Output style. (default: screen on a terminal, else plain)"
    }

    var style: Self { self }
}
