/// A value that differs between a recorded answer and the answer before it.
package struct ValueChange: Hashable, Sendable {
    /// The place of the value, such as `remainingWaypoints[0].waypointType`.
    package let path: String
    /// The value in the previous answer; nil if the value was added.
    package let from: RecordedValue?
    /// The value in this answer; nil if the value was removed.
    package let to: RecordedValue?

    /// A list with more changed elements than this is a single change.
    private static let mostElements = 8

    package init(path: String, from: RecordedValue?, to: RecordedValue?) {
        self.path = path
        self.from = from
        self.to = to
    }

    /// Returns the differences between two answers, sorted by path. An object's own values come before nested values, because the
    /// most important ones, such as the status, are at the top of an answer.
    /// - Parameter old: the previous answer; nil if `new` is the first answer.
    static func changes(from old: RecordedValue?, to new: RecordedValue) -> [ValueChange] {
        var changes: [ValueChange] = []
        ValueChange(path: "", from: old, to: new).add(to: &changes)
        return changes
    }

    /// Adds the change of each single value. An object or list that was removed is a single change.
    private func add(to changes: inout [ValueChange]) {
        switch (from, to) {
        case (.object(let before)?, .object(let after)?): addMembers(before, after, to: &changes)
        case (nil, .object(let after)?) where !after.isEmpty: addMembers([:], after, to: &changes)
        case (.array(let before)?, .array(let after)?): addElements(before, after, to: &changes)
        case (nil, .array(let after)?) where !after.isEmpty: addElements([], after, to: &changes)
        default: if from != to, !path.isEmpty { changes.append(self) }
        }
    }

    private func addMembers(_ before: [String: RecordedValue], _ after: [String: RecordedValue], to changes: inout [ValueChange]) {
        var inner: [ValueChange] = []
        for key in Set(before.keys).union(after.keys).sorted() {
            let member = ValueChange(path: path.isEmpty ? key : "\(path).\(key)", from: before[key], to: after[key])
            var found: [ValueChange] = []
            member.add(to: &found)
            if found.first?.path == member.path { changes += found } else { inner += found }
        }
        changes += inner
    }

    private func addElements(_ before: [RecordedValue], _ after: [RecordedValue], to changes: inout [ValueChange]) {
        let changed = zip(before, after).count { $0 != $1 } + abs(before.count - after.count)
        guard changed <= Self.mostElements else { return changes.append(self) }
        for index in 0..<max(before.count, after.count) {
            let old = before.indices.contains(index) ? before[index] : nil
            let new = after.indices.contains(index) ? after[index] : nil
            ValueChange(path: "\(path)[\(index)]", from: old, to: new).add(to: &changes)
        }
    }
}
