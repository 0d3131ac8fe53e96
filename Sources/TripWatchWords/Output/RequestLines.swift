import FleetEngine
package import FoundationEssentials
import TerminalCanvas
package import TripRecording

/// Prints the calls of a recording, as text or as JSON lines.
package struct RequestLines: Sendable {
    private let isJSON: Bool
    private let secondsFromGMT: @Sendable (Date) -> Int
    private var previous: Date?
    private var ribbon = StatusRibbon()

    /// The largest number of changes that are printed as text for one call.
    private static let mostChanges = 40
    private static let indent = String(repeating: " ", count: 14)

    package init(isJSON: Bool, secondsFromGMT: @escaping @Sendable (Date) -> Int = { _ in 0 }) {
        self.isJSON = isJSON
        self.secondsFromGMT = secondsFromGMT
    }

    /// Returns the lines for the next call, without line breaks.
    package mutating func lines(_ call: RecordedCall) -> [String] {
        let since = previous
        previous = call.date
        ribbon.observe(call.status, at: call.date)
        return isJSON ? [Self.object(call)] : text(call, since: since)
    }

    /// Returns the last lines: the statuses with their durations, and the announced and actual arrivals.
    package func summary(_ arrivals: [ArrivalRecord]) -> [String] {
        if isJSON { return [ribbon.object(arrivals)] }
        return (ribbon.isEmpty ? [] : [ribbon.text]) + arrivals.map { text($0) }
    }

    // MARK: - Text

    private func text(_ call: RecordedCall, since previous: Date?) -> [String] {
        let method = TripWords.column(call.method, 10)
        let head = [clock(call.date, withMilliseconds: true), method, TripWords.column(call.code, 11), note(call, since: previous)]
        var fields: [String] = []
        for change in call.changes.prefix(Self.mostChanges) {
            if case .first = call.outcome {
                fields.append(ChangeWords.first(change))
            } else {
                fields.append(ChangeWords.later(change))
            }
        }
        let rest = call.changes.count - fields.count
        if rest > 0 { fields.append("… and \(ChangeWords.grouped(rest)) more") }
        return [head.filter { !$0.isEmpty }.joined(separator: "  ")] + fields.map { Self.indent + $0 }
    }

    private func note(_ call: RecordedCall, since previous: Date?) -> String {
        switch call.outcome {
        case .first: return "first answer"
        case .later(let changes):
            let gap = previous.map { "+" + Self.seconds(call.date.timeIntervalSince($0)) }
            return [gap, changes.isEmpty ? "no change" : nil].compactMap { $0 }.joined(separator: ", ")
        case .failure(let error, let retry):
            let next = retry.map { "next call in " + Self.seconds($0) }
            return [sanitised(error.message, maximumLength: 200), next ?? ""].filter { !$0.isEmpty }.joined(separator: "; ")
        }
    }

    private func text(_ arrival: ArrivalRecord) -> String {
        var parts: [String] = []
        if let first = arrival.first { parts.append("first ETA " + clock(first)) }
        if let actual = arrival.actual { parts.append("actual " + clock(actual)) }
        if let seconds = arrival.secondsLate { parts.append(Self.punctuality(seconds)) }
        return (arrival.waypoint == "dropoff" ? "drop-off" : arrival.waypoint) + ": " + parts.joined(separator: ", ")
    }

    private func clock(_ date: Date, withMilliseconds: Bool = false) -> String {
        let clock = Timestamps.clock(date, secondsFromGMT: secondsFromGMT(date), withSeconds: true)
        return withMilliseconds ? clock + Timestamps.rfc3339(date).dropLast().suffix(4) : clock
    }

    /// Returns a duration with one decimal place: `5.0 s`.
    private static func seconds(_ seconds: Double) -> String {
        let tenths = seconds.isNaN ? 0 : Int((min(max(seconds, 0), 1e10) * 10).rounded())
        return "\(tenths / 10).\(tenths % 10) s"
    }

    private static func punctuality(_ secondsLate: Double) -> String {
        let seconds = Int(min(secondsLate.magnitude, 1e10))
        guard seconds > 0 else { return "on time" }
        let minutes = seconds < 60 ? "" : "\(seconds / 60) min "
        return "\(minutes)\(seconds % 60) s \(secondsLate > 0 ? "late" : "early")"
    }

    // MARK: - JSON

    private static func object(_ call: RecordedCall) -> String {
        var line = JSONLine()
        line.add("t", .time(call.date))
        line.add("call", .string(call.method))
        line.add("code", .string(call.code))
        if case .failure(let error, let retry) = call.outcome {
            line.add("message", .string(error.message))
            line.add("retry_in_s", retry.map { .number($0, decimals: 1) })
        }
        let changes = call.changes.map { change in
            JSONText.object { object in
                object.add("path", .string(change.path))
                object.add("from", change.from.map(JSONText.value))
                object.add("to", change.to.map(JSONText.value))
            }
        }
        line.add("changes", .array(changes))
        return line.finished
    }
}

extension RecordedCall {
    fileprivate var code: String {
        if case .failure(let error, _) = outcome { error.code.name } else { StatusCode.ok.name }
    }
}

/// The statuses of a trip or shipment in a recording, with their durations.
private struct StatusRibbon {
    private var spans: [(status: String, since: Date)] = []
    private var end = Date.distantPast

    var isEmpty: Bool { spans.isEmpty }

    mutating func observe(_ status: String?, at date: Date) {
        end = date
        guard let status, status != spans.last?.status else { return }
        spans.append((status, date))
    }

    /// The statuses in one line: `NEW 0:12 ▸ ENROUTE_TO_PICKUP 6:40 ▸ COMPLETE`.
    var text: String {
        spans.indices.map { index in
            let length = seconds(of: index)
            return sanitised(spans[index].status, maximumLength: 64) + (length > 0 ? " " + TripWords.stopwatch(length) : "")
        }.joined(separator: " ▸ ")
    }

    func object(_ arrivals: [ArrivalRecord]) -> String {
        var line = JSONLine()
        line.add("event", .string("summary"))
        let statuses = spans.indices.map { index in
            JSONText.object { object in
                object.add("status", .string(spans[index].status))
                object.add("t", .time(spans[index].since))
                object.add("duration_s", .number(seconds(of: index), decimals: 0))
            }
        }
        line.add("statuses", .array(statuses))
        let records = arrivals.map { arrival in
            JSONText.object { object in
                object.add("waypoint", .string(arrival.waypoint))
                object.add("first_eta", arrival.first.map(JSONText.time))
                object.add("actual", arrival.actual.map(JSONText.time))
                object.add("late_s", arrival.secondsLate.map { .number($0, decimals: 0) })
            }
        }
        line.add("arrivals", .array(records))
        return line.finished
    }

    /// Returns the duration of a status in whole seconds. The last status lasts until the last call.
    private func seconds(of index: Int) -> Double {
        let next = spans.indices.contains(index + 1) ? spans[index + 1].since : end
        return max(0, next.timeIntervalSince(spans[index].since).rounded())
    }
}
