package import SwiftProtobuf

/// Builds the text form of a snapshot, member by member.
package struct SnapshotJSON: Sendable {
    private var text = Array("{\"version\":1".utf8)
    /// The number of members in the current list; nil before the first list.
    private var count: Int?

    package init() {}

    /// Begins a list with this name.
    package mutating func begin(_ name: String) {
        endList()
        text += Array(",\"\(name)\":[".utf8)
        count = 0
    }

    private mutating func endList() {
        if let count { text += Array((count > 0 ? "\n]" : "]").utf8) }
        count = nil
    }

    /// Adds a member to the current list.
    package mutating func append(_ member: some Message) {
        text += Array(count == 0 ? "\n".utf8 : ",\n".utf8)
        // Encoding cannot fail for messages without `Any`.
        text += (try? member.jsonUTF8Bytes()) ?? Array("{}".utf8)
        count = (count ?? 0) + 1
    }

    package var finished: [UInt8] {
        var whole = self
        whole.endList()
        return whole.text + Array("}\n".utf8)
    }
}
