import CBuild

enum Version {
    /// The version number; no other file repeats it.
    static let text = "0.1.0"

    /// The version and the source revision, as `--version` prints them.
    static let line = "tripwatch \(text) (\(String(cString: cbuild_word())))"
}
