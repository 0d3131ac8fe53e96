/// The script that makes a shell complete this program's words, as the parser writes it.
enum CompletionScript {
    /// Whether these arguments ask for one.
    static func isAsked(_ arguments: [String]) -> Bool { arguments.first?.hasPrefix("--generate-completion-script") == true }

    /// What is said where no shell of that name is known.
    static let fault = "tripwatch: --generate-completion-script takes bash, zsh or fish."

    /// The commands and topics of which there is help.
    static var helped: [String] { CommandWords.below([]) + ["keys"] }

    /// The script as this program wants it: for older shells too, and with the words that `help` takes.
    ///
    /// - Parameter helped: the commands and topics of which there is help.
    static func finished(_ script: String, helped: [String]) -> String { helping(helped, singleRest(portable(script))) }

    /// zsh takes one rest of a command's words. Where a command has subcommands it is theirs; the words behind `--` have no completion.
    private static func singleRest(_ script: String) -> String {
        script.hasPrefix("#compdef") ? script.replacing("        '*:command:'\n", with: "") : script
    }

    /// fish takes "$(…)" from 3.4 on only, and does as well without the quotes where a command prints a line.
    private static func portable(_ script: String) -> String {
        script.replacing(#/"(?<before>[A-Za-z_]*)\$\((?<command>[^()"]*)\)"/#) { found in
            script.hasPrefix("function ") ? "\(found.before)(\(found.command))" : String(found.0)
        }
    }

    /// The parser knows no words behind `help`.
    private static func helping(_ helped: [String], _ script: String) -> String {
        let words = helped.joined(separator: " ")
        func replacing(_ old: String, by new: String) -> String {
            guard let body = script.firstRange(of: "_tripwatch_help() {") else { return script }
            let rest = String(script[body.upperBound...])
            guard let found = rest.firstRange(of: old) else { return script }
            return script[..<body.upperBound] + rest[..<found.lowerBound] + new + rest[found.upperBound...]
        }
        if script.hasPrefix("function ") {
            return script + "\ncomplete -c 'tripwatch' -n '__fish_seen_subcommand_from help' -fa '\(words)'"
        }
        if script.hasPrefix("#compdef") { return replacing("'*:subcommands:'", by: "'*:subcommands:(\(words))'") }
        let offer = "__tripwatch_offer_flags_options -1\n"
        return replacing(offer, by: offer + "    [[ ${cur} == -* ]] || COMPREPLY+=($(compgen -W '\(words)' -- \"${cur}\"))\n")
    }
}
