extension ConfigurationKey {
    /// Configuration keys for key bindings, alerts and hooks.
    static let telling = [
        ConfigurationKey(
            "keys", "Your own key or list of keys for an action; [] removes its keys ('tripwatch help keys' lists the actions).",
            .ownKeys, standard: "the built-in keys", literal: "{}"
        ) { configuration, keys in configuration.keys = keys.flatMap { $0.isEmpty ? nil : $0 } },
        ConfigurationKey(
            "alerts",
            "Moments for alerts: '5min' is 5 min before your stop; 'delay' is each further delay of 3 min.",
            .alertWords, standard: "2min, here, delay, lost", literal: "[\"2min\", \"here\", \"delay\", \"lost\"]"
        ) { $0.alertWords = $1 },
        ConfigurationKey(
            "alert_by", "The kinds of alert: the bell, a desktop notice, or progress in the tab or taskbar.", .alertWays,
            standard: "bell", literal: "[\"bell\"]"
        ) { $0.alertWays = $1 },
        ConfigurationKey(
            "hooks", "Receivers of trip events: addresses that get a POST, and commands that are run (docs/hooks.md).", .hooks,
            standard: "none", literal: "[]", isShown: false
        ) { $0.hooks = $1.flatMap { $0.isEmpty ? nil : $0 } },
    ]
}
