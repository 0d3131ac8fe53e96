import ArgumentParser
import FleetEngine
import Glibc
import ProgramSurroundings
import TerminalScreen
import TripWatchRuntime
import TripWatchSettings
import TripWatchWords

/// The program: parses the arguments and runs a command.
@main
struct Tripwatch: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tripwatch",
        abstract: "Follow a trip in the terminal: the car, its route and its arrival.",
        discussion: """
            A TRIP is providers/PROVIDER/trips/TRIP, or just TRIP with --provider.
            Exit codes: 0 success or quit, 1 failed, 2 trip cancelled, 3 no such trip, 4 not allowed, 64 usage error, 128+n ended by signal n.
            """,
        version: Version.line,
        subcommands: [
            DemoCommand.self, FollowCommand.self, ListCommand.self, BookCommand.self, CancelCommand.self, StatusCommand.self,
            WaitCommand.self, ReplayCommand.self, ExportCommand.self,
            MapCommand.self, ServeCommand.self, PhoneCommand.self, DriveCommand.self, TokenCommand.self, ConfigCommand.self,
            ShareCommand.self, ThemesCommand.self, DoctorCommand.self, ManCommand.self, CompletionCommand.self,
        ])

    @Flag(name: .customShort("V"), help: "Show the version.")
    var showsVersion = false

    /// Parses the arguments, runs the command and exits. A failed write of the help or version is an error, as for other output.
    static func main() async {
        prepareProcess()
        var surroundings = Surroundings.process
        let arguments = WordCommands.withHelp(Array(CommandLine.arguments.dropFirst()))
        if arguments.first == "help" { tellHelp(of: Array(arguments.dropFirst()), in: surroundings) }
        do {
            var command = try await parsed(arguments)
            if let program = command as? any ProgramCommand { try await finish(program, in: &surroundings) }
            if let program = command as? Tripwatch { program.start(in: surroundings).finish() }
            try command.run()
        } catch let failure as Failure {
            failure.end(surroundings.streams).finish()
        } catch {
            let code = exitCode(for: error).rawValue
            var message = fullMessage(for: error)
            let asksForCompletion = CompletionScript.isAsked(arguments)
            if asksForCompletion {
                message = CompletionScript.finished(message, helped: CompletionScript.helped)
            }
            if code == ExitCodes.usage {
                message = asksForCompletion ? CompletionScript.fault : told(message, arguments)
            }
            if !message.isEmpty {
                if code == ExitCodes.success { surroundings.streams.print(message) } else { surroundings.streams.say(prefixed(message)) }
            }
            ProgramEnd.code(code).finish()
        }
    }

    private static func parsed(_ arguments: [String]) async throws -> sending any ParsableCommand {
        if let parent = WordCommands.parent(of: arguments) { return try await parent.asyncParseAsRoot(Array(arguments.dropFirst())) }
        return try await asyncParseAsRoot(ManyWords.joined(arguments, of: "follow"))
    }

    /// Handles an invocation of the program without a command. Prints the version if a flag asks for it. Otherwise, if the output is a
    /// terminal, prints the first steps. If it is not a terminal, prints the help as a usage error.
    private func start(in surroundings: Surroundings) -> ProgramEnd {
        if showsVersion {
            surroundings.streams.print(Version.line)
            return .success
        }
        guard surroundings.streams.isOutputTerminal else {
            surroundings.streams.say(Self.helpMessage())
            return .code(ExitCodes.usage)
        }
        let known = surroundings.stateFile?.trips(now: surroundings.clock(1).now()).underWay().first
        for line in FirstWords.lines(known: known) { surroundings.streams.print(line) }
        return .success
    }

    /// Handles those uses of `help` that the parser cannot handle: the topic `keys`, and unknown commands.
    private static func tellHelp(of words: [String], in surroundings: Surroundings) {
        if words.filter({ !$0.hasPrefix("-") }) == ["keys"] { tellKeys(surroundings) }
        guard let fault = CommandWords.fault(ofHelp: words) else { return }
        surroundings.streams.say("tripwatch: \(printable(fault))")
        ProgramEnd.code(ExitCodes.usage).finish()
    }

    /// Prints the key bindings in effect, one line for each action.
    private static func tellKeys(_ surroundings: Surroundings) -> Never {
        let read = try? surroundings.configuration(profile: nil)
        for message in read?.messages ?? [] { surroundings.streams.say("tripwatch: \(message.ended)") }
        for line in KeyMap.list(read?.configuration.keys ?? []) { surroundings.streams.print(line) }
        ProgramEnd.success.finish()
    }

    /// Runs a command and exits. Usage errors that the command itself finds in its arguments are reported here.
    private static func finish(_ program: sending any ProgramCommand, in surroundings: inout Surroundings) async throws -> Never {
        let type = type(of: program)
        do {
            try await start(program, in: &surroundings).finish()
        } catch let error as ValidationError {
            surroundings.streams.say(usage(error, of: type))
            ProgramEnd.code(ExitCodes.usage).finish()
        }
    }

    private static func start(_ command: some ProgramCommand, in surroundings: inout Surroundings) async throws -> ProgramEnd {
        var command = command
        surroundings.streams.isQuiet = command.log.quiet
        if type(of: command).usesNetwork { try DescriptorLimit.raiseForNetwork() }
        if let file = command.log.file { try surroundings.openLog(file, command: name(of: command), version: Version.text) }
        try command.prepare(in: surroundings)
        return try await command.perform(in: surroundings)
    }

    /// Returns the error message, followed by the usage of the command that reported the error.
    private static func usage(_ error: ValidationError, of command: any ProgramCommand.Type) -> String {
        let usage = usageString(for: command)
        let words = usage.split(separator: " ").prefix { $0.first?.isLetter == true }.joined(separator: " ")
        return "tripwatch: \(error.message)\nUsage: \(usage)\n  See '\(words) --help' for more information."
    }

    /// Replaces the parser's prefix of an error message with this program's prefix.
    private static func prefixed(_ message: String) -> String {
        let foreign = "Error: "
        return message.hasPrefix(foreign) ? "tripwatch: " + message.dropFirst(foreign.count) : message
    }

    /// Returns a message about a mistyped word, or else the parser's message. The parser often reports a missing argument instead of
    /// the mistyped word.
    private static func told(_ message: String, _ arguments: [String]) -> String {
        switch CommandWords.fault(in: arguments) {
        case nil: return message
        case .command(let sentence): return "tripwatch: \(printable(sentence))"
        case .argument(let sentence):
            let usage = message.split(separator: "\n").drop { !$0.hasPrefix("Usage:") }
            return (["tripwatch: \(printable(sentence))"] + usage).joined(separator: "\n")
        }
    }

    private static func name(of command: some ProgramCommand) -> String { type(of: command).configuration.commandName ?? "tripwatch" }

    /// Prepares the handling of signals. At a file's size limit, SIGXFSZ would end the process. With an empty handler, the write
    /// fails instead. Child processes do not inherit the handler.
    private static func prepareProcess() {
        TerminalScreen.leaveOutCrashReports()
        signal(SIGXFSZ) { _ in }
        RenewalSignal.ignore()
    }
}
