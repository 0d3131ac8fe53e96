/// A program or web address that is called at certain moments of a trip, and the rules that select these moments.
package struct Hook: Hashable, Sendable {
    package enum Target: Hashable, Sendable {
        /// An http or https address. It gets a POST request for each moment. Its path and query may contain a secret.
        case address(String)
        case command(CommandWords)
    }

    package var target: Target
    package var rules = MomentRules.hooks
    /// Path of a file with the key that signs requests.
    package var keyFile: String?

    /// Returns nil unless the text is an http or https address without a user name, password or fragment.
    package init?(address: String) {
        guard WebAddress(address) != nil, !address.utf8.contains(0x23) else { return nil }
        target = .address(address)
    }

    /// Returns nil for an invalid command line.
    package init?(command: String) {
        guard let words = CommandWords(command) else { return nil }
        target = .command(words)
    }
}
