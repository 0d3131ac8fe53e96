import ArgumentParser

/// The form in which a command without a screen prints.
struct FormOptions: ParsableArguments {
    enum Form: String, ExpressibleByArgument, CaseIterable { case plain, json }

    @Option(name: .shortAndLong, help: ArgumentHelp("Text or JSON. (default: plain)", valueName: "form"))
    var output: Form?

    @Flag(help: "Same as --output json.")
    var json = false

    func validate() throws {
        if json, output == .plain { throw ValidationError("--json and --output plain do not go together.") }
    }

    var isJSON: Bool { json || output == .json }
}
