/// The names and addresses of this machine itself. Data sent to them does not leave the machine.
package enum LoopbackHost {
    /// Returns true for `localhost`, `::1` (with or without brackets) and addresses in 127.0.0.0/8.
    package static func contains(_ host: some StringProtocol) -> Bool {
        let name = host.lowercased()
        if ["localhost", "::1", "[::1]"].contains(name) { return true }
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
    }
}
