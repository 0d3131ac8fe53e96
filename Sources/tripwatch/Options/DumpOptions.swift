import ArgumentParser
import TerminalCanvas
import TripWatchRuntime

/// Options that print a single frame instead of showing the screen.
struct DumpOptions: ParsableArguments {
    @Flag(help: "Print one frame and exit.")
    var dump = false

    @Option(help: ArgumentHelp("Size of the frame.", valueName: "colsxrows"))
    var size: String?

    @Option(
        help: ArgumentHelp(
            "Format of the frame. (default: ansi on a terminal, else text)",
            valueName: "format"))
    var format: DumpSettings.Format?

    func validate() throws {
        if let size, Self.size(size) == nil { throw ValidationError("--size has the form COLSxROWS, such as 80x24, each from 1 to 1000.") }
        guard size == nil || dump else { throw ValidationError("--size needs --dump.") }
        guard format == nil || dump else { throw ValidationError("--format needs --dump.") }
    }

    /// The settings for the frame; nil if the screen is shown.
    var settings: DumpSettings? { dump ? DumpSettings(size: size.flatMap(Self.size), format: format) : nil }

    private static func size(_ text: String) -> Size? {
        let parts = text.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
        guard parts.count == 2, let columns = parts[0], let rows = parts[1], (1...1_000).contains(columns), (1...1_000).contains(rows)
        else { return nil }
        return Size(columns: columns, rows: rows)
    }
}

extension DumpSettings.Format: ExpressibleByArgument {}
