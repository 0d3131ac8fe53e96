import ArgumentParser
import ProgramSurroundings
import TripWatchWords

struct CompletionCommand: ProgramCommand {
    static let configuration = CommandConfiguration(
        commandName: "completion", abstract: "Print the completion script for a shell.",
        discussion: """
            bash: source <(tripwatch completion bash). fish: tripwatch completion fish | source. zsh: save the output as _tripwatch in a \
            folder of $fpath.
            """)

    enum Shell: String, ExpressibleByArgument, CaseIterable { case bash, zsh, fish }

    @Argument(help: "The shell.")
    var shell: Shell

    @OptionGroup(title: HelpSection.common) var log: LogOptions

    func perform(in surroundings: Surroundings) async throws -> ProgramEnd {
        guard let parserShell = CompletionShell(rawValue: shell.rawValue) else { return .code(ExitCodes.usage) }
        surroundings.streams.print(CompletionScript.finished(Tripwatch.completionScript(for: parserShell), helped: CompletionScript.helped))
        return .success
    }
}
