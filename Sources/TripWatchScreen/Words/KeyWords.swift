import TripWatchSettings

extension AppState {
    /// Returns a text that names the key of an action, such as `press q to quit`; empty if no key is assigned to the action.
    func naming(_ action: AppAction, _ text: (_ key: String) -> String) -> String {
        let key = keyMap.shortKey(action)
        return key.isEmpty ? "" : text(key)
    }
}
