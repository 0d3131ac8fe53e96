import CBuild

enum Version {
    /// The one place where it stands.
    static let text = "0.1.0"

    /// With what it was built from, as `--version` prints it.
    static let line = "tripwatch \(text) (\(String(cString: cbuild_word())))"
}
