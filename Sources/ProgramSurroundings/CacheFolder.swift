/// The folder for data that can be fetched again: `$XDG_CACHE_HOME/tripwatch`, by default `~/.cache/tripwatch`.
package enum CacheFolder {
    /// The folder's path; nil if the user has no home directory.
    package static func path(environment: [String: String]) -> String? {
        if let base = environment["XDG_CACHE_HOME"], base.hasPrefix("/") { return base + "/tripwatch" }
        if let home = environment["HOME"], home.hasPrefix("/") { return home + "/.cache/tripwatch" }
        return nil
    }
}
