import TerminalCanvas
import TripRecording

/// The words for a changed value of a recorded answer. Long lists and texts are summarized. All words are safe to print.
enum ChangeWords {
    /// The longest text that is printed, in characters. Longer texts are mostly encoded routes.
    private static let longestText = 80

    /// Returns a value of the first answer: `tripStatus  NEW`.
    static func first(_ change: ValueChange) -> String { path(change) + (change.to.map { "  " + words($0) } ?? "") }

    /// Returns a difference from the previous answer: `tripStatus  NEW ▸ ENROUTE_TO_PICKUP`, `+ vehicleId  car-7`, or `- vehicleId  car-7`.
    static func later(_ change: ValueChange) -> String {
        switch (change.from, change.to) {
        case (let from?, let to?): path(change) + "  " + words(from, to)
        case (nil, _): "+ " + first(change)
        case (let from?, nil): "- " + path(change) + (from.isObject ? "" : "  " + words(from))
        }
    }

    private static func path(_ change: ValueChange) -> String { sanitised(change.path, maximumLength: 200) }

    private static func words(_ from: RecordedValue, _ to: RecordedValue) -> String {
        switch (from, to) {
        case (.array(let before), .array(let after)):
            before.count == after.count
                ? "(changed, \(counted(after)))" : "\(grouped(before.count)) ▸ \(counted(after, like: before))"
        case (.string(let before), .string(let after)) where isLong(before) && isLong(after): "(changed, \(counted(after)))"
        default: words(from) + " ▸ " + words(to)
        }
    }

    private static func words(_ value: RecordedValue) -> String {
        switch value {
        case .null: "null"
        case .bool(let flag): flag ? "true" : "false"
        case .number(let number): number.digits
        case .string(let text): isLong(text) ? "(\(counted(text)))" : text.isEmpty ? "\"\"" : sanitised(text)
        case .array(let list): counted(list)
        case .object(let members): members.isEmpty ? "{}" : "{…}"
        }
    }

    private static func isLong(_ text: String) -> Bool { text.unicodeScalars.count > longestText }

    private static func counted(_ text: String) -> String { "\(grouped(text.unicodeScalars.count)) characters" }

    /// - Parameter other: a list of the same kind, which decides the unit if `list` is empty.
    private static func counted(_ list: [RecordedValue], like other: [RecordedValue] = []) -> String {
        let unit = (list.first ?? other.first)?["latitude"] == nil ? "item" : "point"
        return "\(grouped(list.count)) \(unit)\(list.count == 1 ? "" : "s")"
    }

    /// Returns a number with a comma before each group of three digits.
    static func grouped(_ number: Int) -> String {
        var text = ""
        for (index, digit) in String(number).reversed().enumerated() { text = "\(digit)\(index > 0 && index % 3 == 0 ? "," : "")\(text)" }
        return text
    }
}

extension JSONText {
    /// A value of a recorded answer. The members of an object are in the order of their keys.
    static func value(_ value: RecordedValue) -> JSONText {
        switch value {
        case .null: .null
        case .bool(let flag): .bool(flag)
        case .number(let number): number.isFinite ? JSONText(text: number.digits) : .null
        case .string(let text): .string(text)
        case .array(let list): .array(list.map { JSONText.value($0) })
        case .object(let members):
            .object { object in
                for (key, value) in members.sorted(by: { $0.key < $1.key }) { object.add(key, JSONText.value(value)) }
            }
        }
    }
}

extension Double {
    /// The number as JSON, in the fewest digits.
    fileprivate var digits: String {
        let text = "\(self)"
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }
}
