public import ArgumentParser
public import JourneySharing
package import TripWatchRuntime
import TripWatchSettings

/// The styles that a command can tell things in.
protocol OutputChoice: ExpressibleByArgument, CaseIterable, Sendable {
    static var help: String { get }
    var style: OutputSettings.Style { get }
}

/// How things are told by a command that has a screen.
typealias OutputOptions = ChosenOutput<OutputSettings.Style>

/// How a driver's shift is told.
enum ShiftStyle: String, OutputChoice {
    case screen, plain

    static var help: String { "Screen or lines." }
    var style: OutputSettings.Style { self == .screen ? .screen : .plain }
}

/// How things are told.
struct ChosenOutput<Choice: OutputChoice>: ParsableArguments {
    @Option(name: .shortAndLong, help: ArgumentHelp(Choice.help, valueName: "style"))
    var output: Choice?

    @Flag(help: "Same as --output json.")
    var json = false

    @Option(help: ArgumentHelp("Print the drawn position HZ times a second (json).", valueName: "hz"))
    var drawn: Double?

    @Option(help: ArgumentHelp("Units. (default: by locale)", valueName: "system"))
    var units: MeasurementSystem?

    func validate() throws {
        if let drawn, !(drawn > 0 && drawn <= 60) { throw ValidationError("--drawn is a number of frames a second, above 0 and up to 60.") }
        if json, let output, output.style != .json { throw ValidationError("--json and --output \(output.style) do not go together.") }
        if drawn != nil, style != .json { throw ValidationError("--drawn goes with --output json.") }
    }

    mutating func complete(from configuration: Configuration) { units = units ?? configuration.measurementSystem }

    /// The style that was asked for; nil for the one that suits the output.
    var style: OutputSettings.Style? { json ? .json : output?.style }

    var settings: OutputSettings { OutputSettings(style: style, framesPerSecond: drawn, units: units) }
}

extension MeasurementSystem: ExpressibleByArgument {}
extension OutputSettings.Style: OutputChoice {
    static var help: String {
        "How to print. (default: screen on a terminal, else plain)"
    }

    var style: Self { self }
}
