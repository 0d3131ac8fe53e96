import CTerminal

/// Protects the memory of a process that holds an access token or another credential.
enum Secrets {
    /// From now on no crash writes the memory of this process anywhere.
    static func protectMemory() { cterminal_forbid_core_dumps() }
}
