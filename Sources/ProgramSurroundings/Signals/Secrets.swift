import CTerminal

/// Protects the memory of a process that holds an access token or another credential.
package enum Secrets {
    /// Turns off core dumps, so that a crash writes no memory of this process to disk.
    package static func protectMemory() { cterminal_forbid_core_dumps() }
}
