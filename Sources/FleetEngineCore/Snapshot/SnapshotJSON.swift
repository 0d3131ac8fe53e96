import SwiftProtobuf

/// The text form of a snapshot, made member by member.
struct SnapshotJSON {
    private static let start = "{\"version\":1,\"trips\":["
    private static let middle = "],\"vehicles\":["
    private static let end = "]}\n"

    private var text = Array(start.utf8)
    private let tripCount: Int
    private let vehicleCount: Int
    private var count = 0

    /// Begins a text. All trips must come before all vehicles, in exactly these numbers.
    init(tripCount: Int, vehicleCount: Int) {
        self.tripCount = tripCount
        self.vehicleCount = vehicleCount
        if tripCount == 0 { text += Array(Self.middle.utf8) }
    }

    mutating func append(_ member: some Message) {
        let isFirst = count == 0 || count == tripCount
        text += Array(isFirst ? "\n".utf8 : ",\n".utf8)
        // Messages without `Any` always have a JSON form.
        text += (try? member.jsonUTF8Bytes()) ?? Array("{}".utf8)
        count += 1
        if count == tripCount { text += Array(("\n" + Self.middle).utf8) }
    }

    var finished: [UInt8] { text + Array(((vehicleCount > 0 ? "\n" : "") + Self.end).utf8) }
}
