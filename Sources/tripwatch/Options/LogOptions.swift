import ArgumentParser

/// Where it is written down what happens.
struct LogOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Write down what happens, a line an event and never a token; - is standard error.", valueName: "file"))
    var log: String?
}
