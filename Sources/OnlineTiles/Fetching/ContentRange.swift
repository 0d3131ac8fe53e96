/// The header `Content-Range: bytes FIRST-LAST/TOTAL` (RFC 9110, 14.4).
package struct ContentRange: Hashable {
    let first: UInt64
    let count: UInt64
    /// Size of the whole file, in bytes; nil if unknown.
    let total: UInt64?

    package init?(_ text: String) {
        guard text.lowercased().hasPrefix("bytes ") else { return nil }
        let parts = text.dropFirst(6).split(separator: "/", omittingEmptySubsequences: false)
        let edges = parts.first?.split(separator: "-", omittingEmptySubsequences: false) ?? []
        guard parts.count == 2, edges.count == 2, let first = UInt64(edges[0]), let last = UInt64(edges[1]), first <= last, last < .max
        else {
            return nil
        }
        self.first = first
        count = last - first + 1
        total = UInt64(parts[1])
    }
}
