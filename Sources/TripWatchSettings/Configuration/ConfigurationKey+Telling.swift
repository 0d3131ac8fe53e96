extension ConfigurationKey {
    /// Keys for the user's key bindings, alerts and hooks.
    static let telling = [
        ConfigurationKey(
            "keys", "Keys in place of an action's own: a key or a list of keys, [] for none ('tripwatch help keys' has the actions).",
            .ownKeys, standard: "the program's own", literal: "{}"
        ) { configuration, keys in configuration.keys = keys.flatMap { $0.isEmpty ? nil : $0 } },
        ConfigurationKey(
            "alerts", "The moments of a trip at which a screen rings: N min for any N from the pickup; delay is 3 min later than told.",
            .alertWords, standard: "2min, here, delay, lost", literal: "[\"2min\", \"here\", \"delay\", \"lost\"]"
        ) { $0.alertWords = $1 },
        ConfigurationKey(
            "alert_by", "How it rings: the bell, a notice on the desktop, the share of the way in the tab or the taskbar.", .alertWays,
            standard: "bell", literal: "[\"bell\"]"
        ) { $0.alertWays = $1 },
        ConfigurationKey(
            "hooks", "Who is told the events of trips: addresses that get a POST, and commands that are run (docs/hooks.md).", .hooks,
            standard: "nobody", literal: "[]", isShown: false
        ) { $0.hooks = $1.flatMap { $0.isEmpty ? nil : $0 } },
    ]
}
