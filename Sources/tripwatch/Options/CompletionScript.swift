/// The shell completion script that the parser generates.
enum CompletionScript {
    /// Returns whether these arguments ask for a completion script.
    static func isAsked(_ arguments: [String]) -> Bool { arguments.first?.hasPrefix("--generate-completion-script") == true }

    /// Error message for an unknown shell.
    static let fault = "tripwatch: --generate-completion-script takes bash, zsh or fish."

    /// The names of the commands and topics that have help.
    static var helped: [String] { CommandWords.below([]) + ["keys"] }

    /// Adapts the script to older shells and to names with any characters, and adds the words that `help` takes.
    ///
    /// - Parameter helped: the commands and topics that have help.
    static func finished(_ script: String, helped: [String]) -> String { verbatim(helping(helped, singleRest(portable(script)))) }

    /// Makes the shells offer names as they are, since anyone may have chosen the id of a trip or vehicle. In bash, a command in `$(…)` in
    /// a name would be run. In zsh, the text after a colon would become a description.
    private static func verbatim(_ script: String) -> String {
        if script.hasPrefix("function ") { return script }
        if script.hasPrefix("#compdef") {
            let asked = #"completions=("${(@f)"$("${command_name}" "${@}" "${command_line[@]}")"}")"#
            return script.replacing(asked, with: asked + "\n    " + #"completions=("${(@)${(@)completions//\\/\\\\}//:/\\:}")"#)
        }
        let asked = #""$(__tripwatch_custom_complete "#
        return script.replacing("__tripwatch_add_completions -W " + asked, with: "__tripwatch_add_names " + asked) + addNames
    }

    /// The function for bash that offers the lines of a text. It leaves out lines with a backtick, because bash puts a backtick on the
    /// command line without quoting it.
    private static let addNames = #"""

        __tripwatch_add_names() {
            local name names='' quote="'" quoted="'\\''"
            while IFS='' read -r name; do
                [[ -n "${name}" && "${name}" != *\`* ]] && names+="'${name//${quote}/${quoted}}'"$'\n'
            done <<< "${1}"
            __tripwatch_add_completions -W "${names}"
        }

        """#

    /// Removes the completion of the words after `--` for `serve`. Because `serve` has subcommands, the script would mistake the name and
    /// the arguments of a subcommand for such words.
    private static func singleRest(_ script: String) -> String {
        if script.hasPrefix("#compdef") { return script.replacing("        '*:command:'\n", with: "") }
        if script.hasPrefix("function ") {
            let parse = "__tripwatch_parse_subcommand "
            return replacing(parse + "-r 1 ", by: parse + "0 ", after: "case 'serve'\n", in: script)
        }
        let offer = "__tripwatch_offer_flags_options "
        return replacing(offer + "-1\n", by: offer + "0\n", after: "_tripwatch_serve() {", in: script)
    }

    /// Replaces a text where it first occurs after `mark`.
    private static func replacing(_ old: String, by new: String, after mark: String, in script: String) -> String {
        guard let body = script.firstRange(of: mark) else { return script }
        let rest = script[body.upperBound...]
        guard let found = rest.firstRange(of: old) else { return script }
        return script[..<body.upperBound] + rest[..<found.lowerBound] + new + rest[found.upperBound...]
    }

    /// Replaces "$(…)" with (…) in the script for fish, because versions before 3.4 do not know the longer form. The quotes are not needed
    /// for commands that print a single line.
    private static func portable(_ script: String) -> String {
        script.replacing(#/"(?<before>[A-Za-z_]*)\$\((?<command>[^()"]*)\)"/#) { found in
            script.hasPrefix("function ") ? "\(found.before)(\(found.command))" : String(found.0)
        }
    }

    /// Adds completions for the words after `help`. The parser's script does not have them.
    private static func helping(_ helped: [String], _ script: String) -> String {
        let words = helped.joined(separator: " ")
        func inHelp(_ old: String, by new: String) -> String { replacing(old, by: new, after: "_tripwatch_help() {", in: script) }
        if script.hasPrefix("function ") {
            return script + "\ncomplete -c 'tripwatch' -n '__fish_seen_subcommand_from help' -fa '\(words)'"
        }
        if script.hasPrefix("#compdef") { return inHelp("'*:subcommands:'", by: "'*:subcommands:(\(words))'") }
        let offer = "__tripwatch_offer_flags_options -1\n"
        return inHelp(offer, by: offer + "    [[ ${cur} == -* ]] || COMPREPLY+=($(compgen -W '\(words)' -- \"${cur}\"))\n")
    }
}
