/// The script that makes a shell complete this program's words, as the parser writes it.
enum CompletionScript {
    /// Whether these arguments ask for one.
    static func isAsked(_ arguments: [String]) -> Bool { arguments.first?.hasPrefix("--generate-completion-script") == true }

    /// The script for older shells too: fish takes "$(…)" from 3.4 on only, and does as well without the quotes where a command prints a line.
    static func portable(_ script: String) -> String {
        script.replacing(#/"(?<before>[A-Za-z_]*)\$\((?<command>[^()"]*)\)"/#) { found in
            script.hasPrefix("function ") ? "\(found.before)(\(found.command))" : String(found.0)
        }
    }
}
