import CTerminal

/// Protects the memory of a process that holds an access token or another credential.
package enum Secrets {
    /// From now on no crash writes the memory of this process anywhere.
    package static func protectMemory() { cterminal_forbid_core_dumps() }
}
