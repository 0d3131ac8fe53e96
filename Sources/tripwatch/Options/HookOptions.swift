import ArgumentParser
import TripWatchRuntime
import TripWatchSettings

/// Who is told the moments of trips.
struct HookOptions: ParsableArguments {
    @Option(help: ArgumentHelp("POST each event of the trip to this address, as JSON; may be given several times.", valueName: "url"))
    var hook: [String] = []

    @Option(
        help: ArgumentHelp(
            "Run this for each event, with the facts in its environment: words as a shell splits them, nothing expanded, 10 s at most.",
            valueName: "command"))
    var onEvent: [String] = []

    /// Those of the configuration, where no flag names one.
    var configured = Beside<[Hook]>([])

    func validate() throws {
        _ = try flagged
    }

    mutating func complete(from configuration: Configuration) { configured.value = configuration.hooks ?? [] }

    /// - Throws: `ValidationError` for what cannot be a hook.
    func settings(_ rules: HookRuleOptions, _ connection: ConnectionOptions) throws -> HookSettings? {
        let flagged = try flagged
        let hooks = try rules.applied(to: flagged.isEmpty ? configured.value : flagged)
        guard !hooks.isEmpty || !rules.isSaid else { throw ValidationError("--when and --hook-key-file go with --hook or --on-event.") }
        return hooks.isEmpty ? nil : HookSettings(hooks: hooks, version: Version.text, caFile: connection.ca)
    }

    private var flagged: [Hook] {
        get throws {
            try HookRuleOptions.hooks(at: hook)
                + onEvent.map { line in
                    guard let hook = Hook(command: line) else {
                        throw ValidationError("--on-event is a command line such as 'notify-send \"Car here\"', with its quotes closed.")
                    }
                    return hook
                }
        }
    }
}

/// Which moments hooks are told, and how requests are signed.
struct HookRuleOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "From when on hooks are told, such as eta_changed=2min,time_left=2min,distance_left=500m; 'off' for never.", valueName: "rules")
    )
    var when: String?

    @Option(help: ArgumentHelp("Sign each request of a hook with the key in this file (X-Tripwatch-Signature).", valueName: "file"))
    var hookKeyFile: String?

    func validate() throws { if let hook = Hook(address: "http://localhost") { _ = try applied(to: [hook]) } }

    var isSaid: Bool { when != nil || hookKeyFile != nil }

    /// - Throws: `ValidationError` for a text that is no address.
    static func hooks(at addresses: [String]) throws -> [Hook] {
        try addresses.map { address in
            guard let hook = Hook(address: address) else {
                if address.contains("#"), Hook(address: String(address.prefix { $0 != "#" })) != nil {
                    throw ValidationError(
                        "--hook takes no fragment, which no server gets: leave out # and all after it, or write %23 for #.")
                }
                throw ValidationError("--hook is an http or https address without a name and a password.")
            }
            return hook
        }
    }

    /// - Throws: `ValidationError` for rules that cannot be read.
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
