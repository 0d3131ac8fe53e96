import FleetEngine
import FleetEngineWire

/// Finds the members of a snapshot in its text without parsing them. Each member can then be parsed on its own, so an error can name the
/// member.
struct SnapshotText {
    /// The version, and the byte ranges of the members.
    struct Parts {
        var version: String?
        var trips: [Range<Int>] = []
        var vehicles: [Range<Int>] = []
        var tasks: [Range<Int>] = []
        var deliveryVehicles: [Range<Int>] = []
    }

    /// Maximum nesting depth of brackets.
    private static let maximumDepth = 100
    /// Maximum number of members in a list. The limits of an engine are lower.
    private static let maximumMemberCount = 500_000

    /// The reason why a text is not a snapshot.
    private enum Failure: JSONScannerFailure {
        case truncated(line: Int)
        case notJSON(line: Int)
        case tooDeep(line: Int)
        /// The text has two members of this name.
        case twice(String)
        /// Snapshots have no member of this name.
        case unknown(String)
        /// The list with this name has too many members.
        case tooMany(String)
        /// There is more text after the end of the object.
        case goesOn
    }

    private let bytes: [UInt8]
    private var json: JSONScanner<Failure>

    static func parts(of bytes: [UInt8]) throws(FleetEngineError) -> Parts {
        var text = SnapshotText(bytes)
        do throws(Failure) { return try text.parts() } catch { throw .invalid("snapshot", words(error)) }
    }

    private init(_ bytes: [UInt8]) {
        self.bytes = bytes
        json = JSONScanner(bytes, maximumDepth: Self.maximumDepth)
    }

    private mutating func parts() throws(Failure) -> Parts {
        var parts = Parts()
        var seen: Set<String> = []
        if try json.enter("{", "}") {
            repeat {
                let key = try json.key()
                guard seen.insert(key).inserted else { throw .twice(key) }
                switch key {
                case "version": parts.version = String(decoding: bytes[try json.value()], as: UTF8.self)
                case "trips": parts.trips = try list(key)
                case "vehicles": parts.vehicles = try list(key)
                case "tasks": parts.tasks = try list(key)
                case "deliveryVehicles": parts.deliveryVehicles = try list(key)
                default: throw .unknown(key)
                }
            } while try json.continues(until: "}")
        }
        guard json.next() == nil else { throw .goesOn }
        return parts
    }

    private mutating func list(_ name: String) throws(Failure) -> [Range<Int>] {
        var members: [Range<Int>] = []
        guard try json.enter("[", "]") else { return members }
        repeat {
            guard members.count < Self.maximumMemberCount else { throw .tooMany(name) }
            members.append(try json.value())
        } while try json.continues(until: "]")
        return members
    }

    private static func words(_ failure: Failure) -> String {
        switch failure {
        case .truncated: "the text is cut off"
        case .notJSON(let line):
            "line \(line) is not valid: the file must be JSON of the form {\"version\":1,\"trips\":[…],\"vehicles\":[…]}"
        case .tooDeep: "it is nested more than \(maximumDepth) levels deep"
        case .twice(let key): "\(FleetEngineError.shown(key)) occurs twice"
        case .unknown(let key):
            "unknown member \(FleetEngineError.shown(key)): use version, trips, vehicles, tasks or deliveryVehicles"
        case .tooMany(let list): "the list '\(list)' has more than \(maximumMemberCount) members"
        case .goesOn: "there is more text after the end of the object"
        }
    }
}
