/// Who is told the moments of trips, and which.
package struct Hook: Hashable, Sendable {
    package enum Target: Hashable, Sendable {
        /// An http or https address, which gets a POST for each moment. Its path and query may be secret.
        case address(String)
        case command(CommandWords)
    }

    package var target: Target
    package var rules = MomentRules.hooks
    /// The path of a file with the key that requests are signed with.
    package var keyFile: String?

    /// Nil for anything but an http or https address without a name and a password.
    package init?(address: String) {
        guard WebAddress(address) != nil, !address.utf8.contains(0x23) else { return nil }
        target = .address(address)
    }

    /// Nil for a line that is no command.
    package init?(command: String) {
        guard let words = CommandWords(command) else { return nil }
        target = .command(words)
    }
}
