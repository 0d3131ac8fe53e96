import ArgumentParser

/// The option for the output format of a command without a screen.
struct FormOptions: ParsableArguments {
    enum Form: String, ExpressibleByArgument, CaseIterable { case plain, json }

    @Option(name: .shortAndLong, help: ArgumentHelp("Output format. (default: plain)", valueName: "form"))
    var output: Form?

    @Flag(help: "Same as --output json.")
    var json = false

    func validate() throws {
        if json, output == .plain { throw ValidationError("--json and --output plain cannot be combined.") }
    }

    var isJSON: Bool { json || output == .json }
}
