import TripWatchSettings

extension AppState {
    /// Returns a text that names the key of an action, such as `press q to quit`; empty if the user has taken the action's keys away.
    func naming(_ action: AppAction, _ text: (_ key: String) -> String) -> String {
        let key = keyMap.shortKey(action)
        return key.isEmpty ? "" : text(key)
    }
}
