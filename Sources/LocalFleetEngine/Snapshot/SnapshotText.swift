import FleetEngine

/// Finds the members of a snapshot in its text without parsing them: it only follows brackets and strings. What stands between is read,
/// and refused, member by member.
struct SnapshotText {
    /// Where things stand.
    struct Parts {
        var version: String?
        var trips: [Range<Int>] = []
        var vehicles: [Range<Int>] = []
    }

    /// Brackets in brackets, at most.
    private static let maximumDepth = 100

    private let bytes: [UInt8]
    private var offset = 0

    static func parts(of bytes: [UInt8]) throws(FleetEngineError) -> Parts {
        var text = SnapshotText(bytes)
        return try text.object()
    }

    private init(_ bytes: [UInt8]) {
        self.bytes = bytes
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { offset = 3 }
    }

    private var current: UInt8? { offset < bytes.count ? bytes[offset] : nil }

    private mutating func object() throws(FleetEngineError) -> Parts {
        var parts = Parts()
        var seen: Set<String> = []
        try expect("{")
        if try !ends(with: "}") {
            repeat {
                let key = try self.key()
                guard seen.insert(key).inserted else { throw refusal("\(FleetEngineError.shown(key)) is there twice") }
                switch key {
                case "version": parts.version = String(decoding: bytes[try value()], as: UTF8.self)
                case "trips": parts.trips = try list()
                case "vehicles": parts.vehicles = try list()
                default: throw refusal("unknown member \(FleetEngineError.shown(key)): version, trips and vehicles are known")
                }
            } while try goesOn(until: "}")
        }
        skipSpace()
        guard current == nil else { throw refusal("something follows the end of the object") }
        return parts
    }

    private mutating func key() throws(FleetEngineError) -> String {
        skipSpace()
        guard current == UInt8(ascii: "\"") else { throw noJSON }
        let start = offset
        try skipString()
        let key = String(decoding: bytes[start + 1..<offset - 1], as: UTF8.self)
        try expect(":")
        return key
    }

    private mutating func list() throws(FleetEngineError) -> [Range<Int>] {
        var members: [Range<Int>] = []
        try expect("[")
        if try ends(with: "]") { return members }
        repeat { members.append(try value()) } while try goesOn(until: "]")
        return members
    }

    /// Steps over a value.
    private mutating func value() throws(FleetEngineError) -> Range<Int> {
        skipSpace()
        let start = offset
        var depth = 0
        scan: while let byte = current {
            switch byte {
            case UInt8(ascii: "\""):
                try skipString()
                if depth == 0 { break scan }
                continue
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                if depth == 0 { break scan }
                depth -= 1
                if depth == 0 {
                    offset += 1
                    break scan
                }
            case UInt8(ascii: ","), 0x20, 0x09, 0x0A, 0x0D:
                if depth == 0 { break scan }
            default: break
            }
            guard depth <= Self.maximumDepth else { throw refusal("it is nested deeper than \(Self.maximumDepth) levels") }
            offset += 1
        }
        guard depth == 0 else { throw truncated }
        guard offset > start else { throw noJSON }
        return start..<offset
    }

    private mutating func skipString() throws(FleetEngineError) {
        offset += 1
        while let byte = current {
            offset += byte == UInt8(ascii: "\\") ? 2 : 1
            if byte == UInt8(ascii: "\"") { return }
        }
        throw truncated
    }

    private mutating func skipSpace() {
        while let byte = current, [0x20, 0x09, 0x0A, 0x0D].contains(byte) { offset += 1 }
    }

    private mutating func expect(_ mark: Unicode.Scalar) throws(FleetEngineError) {
        guard try ends(with: mark) else { throw noJSON }
    }

    /// Whether this comes next; it is then stepped over.
    private mutating func ends(with mark: Unicode.Scalar) throws(FleetEngineError) -> Bool {
        skipSpace()
        guard let byte = current else { throw truncated }
        guard byte == UInt8(ascii: mark) else { return false }
        offset += 1
        return true
    }

    /// Steps over a comma (true) or the closing bracket (false).
    private mutating func goesOn(until closing: Unicode.Scalar) throws(FleetEngineError) -> Bool {
        if try ends(with: ",") { return true }
        try expect(closing)
        return false
    }

    private var truncated: FleetEngineError { refusal("the text ends in the middle") }

    private var noJSON: FleetEngineError {
        let line = bytes[..<min(offset, bytes.count)].count { $0 == 0x0A } + 1
        return refusal("line \(line) is not JSON of the form {\"version\":1,\"trips\":[…],\"vehicles\":[…]}")
    }

    private func refusal(_ sentence: String) -> FleetEngineError { .invalid("snapshot", sentence) }
}
