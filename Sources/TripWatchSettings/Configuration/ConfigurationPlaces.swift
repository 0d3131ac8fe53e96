/// The directories to which paths in the configuration file are relative.
struct ConfigurationPlaces: Hashable, Sendable {
    /// Maximum length of a path on Linux (`PATH_MAX`), in bytes.
    private static let maximumPathLength = 4_096

    private let home: String
    private let directory: String

    /// - Parameters:
    ///   - home: the directory for `~/`; empty if the user has no home directory.
    ///   - directory: the configuration file's directory.
    init(home: String, directory: String) {
        self.home = home
        self.directory = directory
    }

    /// Returns the absolute form of a path in the file; nil for a text that is not a path, and for `~/…` if the user has no home directory.
    func path(_ text: String) -> String? {
        guard !text.isEmpty, text.utf8.count <= Self.maximumPathLength, !text.unicodeScalars.contains(where: \.isControl) else {
            return nil
        }
        if text.hasPrefix("/") { return text }
        if text.hasPrefix("~/") { return home.isEmpty ? nil : Self.joined(home, String(text.dropFirst(2))) }
        // A shell expands `~name` to another user's home, so text that begins like this is not accepted as a path.
        return text.hasPrefix("~") ? nil : Self.joined(directory, text)
    }

    private static func joined(_ directory: String, _ name: String) -> String {
        directory.isEmpty || directory.hasSuffix("/") ? directory + name : directory + "/" + name
    }
}

extension Unicode.Scalar {
    /// Whether the character is a control character (C0 or C1).
    var isControl: Bool { properties.generalCategory == .control }
}
