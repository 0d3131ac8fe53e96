import ArgumentParser
import TripWatchRuntime
import TripWatchSettings

/// Options for hooks, which receive the events of trips.
struct HookOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Address to POST each trip event to, as JSON; may be repeated.", valueName: "url"))
    var hook: [String] = []

    @Option(
        help: ArgumentHelp(
            "Run this command at each event; it is stopped after 10 s.",
            valueName: "command"))
    var onEvent: [String] = []

    /// The hooks of the configuration. They are used if no flag sets a hook.
    var configured = Beside<[Hook]>([])

    func validate() throws {
        _ = try flagged
    }

    mutating func complete(from configuration: Configuration) { configured.value = configuration.hooks ?? [] }

    /// Returns the hooks and their settings; nil if there are no hooks.
    /// - Throws: `ValidationError` for an invalid hook, and for rules or a key without a hook.
    func settings(_ rules: HookRuleOptions, _ connection: ConnectionOptions) throws -> HookSettings? {
        let flagged = try flagged
        let hooks = try rules.applied(to: flagged.isEmpty ? configured.value : flagged)
        guard !hooks.isEmpty || !rules.isSaid else { throw ValidationError("--when and --hook-key-file need --hook or --on-event.") }
        guard !hooks.isEmpty else { return nil }
        return HookSettings(hooks: hooks, version: Version.text, caFile: connection.ca, isConfigured: flagged.isEmpty)
    }

    private var flagged: [Hook] {
        get throws {
            try HookRuleOptions.hooks(at: hook)
                + onEvent.map { line in
                    guard let hook = Hook(command: line) else {
                        throw ValidationError(
                            "--on-event takes a command line in which every quote is closed, such as 'notify-send \"Car here\"'.")
                    }
                    return hook
                }
        }
    }
}

/// Options for the events that hooks receive, and for the key that signs the requests to hooks.
struct HookRuleOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Rules for hook events, such as eta_changed=2min,distance_left=500m; eta_changed=off turns that event off.",
            valueName: "rules")
    )
    var when: String?

    @Option(
        help: ArgumentHelp("Sign hook requests (X-Tripwatch-Signature) with the key in this file.", valueName: "file"), completion: .file())
    var hookKeyFile: String?

    func validate() throws { if let hook = Hook(address: "http://localhost") { _ = try applied(to: [hook]) } }

    var isSaid: Bool { when != nil || hookKeyFile != nil }

    /// Returns hooks that send events to these addresses.
    /// - Throws: `ValidationError` for an invalid address.
    static func hooks(at addresses: [String]) throws -> [Hook] {
        try addresses.map { address in
            guard let hook = Hook(address: address) else {
                if address.contains("#"), Hook(address: String(address.prefix { $0 != "#" })) != nil {
                    throw ValidationError(
                        "--hook takes no fragment, because a fragment is not sent: remove # and the text after it, or write %23 for #.")
                }
                throw ValidationError("--hook takes an http or https address without a user name or a password.")
            }
            return hook
        }
    }

    /// Returns the hooks with the rules and the key that these options set.
    /// - Throws: `ValidationError` for invalid rules.
    func applied(to hooks: [Hook]) throws -> [Hook] {
        do throws(MomentRules.RuleError) {
            return try hooks.map { hook throws(MomentRules.RuleError) in
                var hook = hook
                if let when { hook.rules = try hook.rules.reading(when) }
                hook.keyFile = hookKeyFile ?? hook.keyFile
                return hook
            }
        } catch {
            throw ValidationError("--when: \(error).")
        }
    }
}
