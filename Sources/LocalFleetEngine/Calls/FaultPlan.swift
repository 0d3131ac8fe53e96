import FleetEngine
import FleetEngineAccess
import FleetEngineCore
import FleetEngineSnapshot
import Geo
import SwiftProtobuf

/// Rules that make calls fail or wait on purpose, for tests. Each rule applies with its own probability. If several rules
/// apply to a call, the first one is used.
struct FaultPlan: Sendable {
    /// The effect that the rules have on a call.
    struct Outcome: Equatable, Sendable {
        /// Status code with which the call fails; nil if the call does not fail.
        var code: StatusCode?
        var delayMilliseconds: Double
    }

    /// The rules as the test sent them.
    private(set) var rules: [FaultRule]
    /// For each rule, the number of further calls to which it applies; nil for no limit.
    private var left: [Int?]
    private var random = SeededRandom(seed: 1)

    init(_ rules: [FaultRule] = []) {
        self.rules = rules
        left = rules.map(\.count)
    }

    var isEmpty: Bool { rules.isEmpty }

    /// Applies the rules to a new call.
    /// - Returns: the effect on the call; nil if no rule applies.
    mutating func outcome(of rpc: String) -> Outcome? {
        for (index, rule) in rules.enumerated() where rule.rpc == rpc && left[index] != 0 {
            guard rule.probability >= 1 || random.unit() < rule.probability else { continue }
            left[index] = left[index].map { $0 - 1 }
            return Outcome(code: rule.code, delayMilliseconds: rule.delayMilliseconds)
        }
        return nil
    }
}

/// One rule: the calls that it affects, the effect on them, and the probability of the effect.
struct FaultRule: Hashable, Sendable {
    /// Maximum number of rules in a list.
    static let mostRules = 1_000
    static let longestDelayMilliseconds = 3_600_000.0

    /// RPC names of the services, such as `GetTrip`.
    static let rpcs = Set(EngineRPC.allCases.map(\.name))

    var rpc: String
    /// Status code with which the call fails; nil if the call is only delayed.
    var code: StatusCode?
    var probability = 1.0
    var delayMilliseconds = 0.0
    /// Number of calls that the rule applies to; nil for no limit.
    var count: Int?

    /// Reads a list of rules.
    /// - Parameter json: a list of objects. All members of an object except `rpc` are optional and may be null.
    /// - Throws: INVALID_ARGUMENT that names the first invalid member.
    static func list(json: [UInt8]) throws(FleetEngineError) -> [FaultRule] {
        guard let list = try? Google_Protobuf_ListValue(jsonUTF8Bytes: json) else {
            throw .invalid("faults", "the body must be a JSON array of faults")
        }
        guard list.values.count <= mostRules else { throw .invalid("faults", "the list has more than \(mostRules) faults") }
        var rules: [FaultRule] = []
        for (index, value) in list.values.enumerated() {
            do throws(FleetEngineError) { rules.append(try FaultRule(value)) } catch { throw error.at("[\(index)]", name: nil) }
        }
        return rules
    }

    private init(_ value: Google_Protobuf_Value) throws(FleetEngineError) {
        guard case .structValue(let object)? = value.kind else { throw .invalid("fault", "a fault must be an object") }
        guard case .stringValue(let rpc)? = object.fields["rpc"]?.kind, Self.rpcs.contains(rpc) else {
            throw .invalid("rpc", "rpc must be one of \(Self.rpcs.sorted().joined(separator: ", "))")
        }
        self.rpc = rpc
        for (name, value) in object.fields.sorted(by: { $0.key < $1.key }) where name != "rpc" { try set(name, value.kind) }
    }

    private mutating func set(_ name: String, _ kind: Google_Protobuf_Value.OneOf_Kind?) throws(FleetEngineError) {
        switch (name, kind) {
        case ("code", .nullValue?), ("count", .nullValue?), ("probability", .nullValue?), ("delay_ms", .nullValue?): break
        case ("code", .stringValue(let word)?):
            guard let code = StatusCode.allCases.first(where: { $0.name == word }), code != .ok else { fallthrough }
            self.code = code
        case ("code", _): throw .invalid(name, "code must be null or a gRPC code other than OK, such as UNAVAILABLE")
        case ("probability", .numberValue(let number)?) where (0...1).contains(number): probability = number
        case ("probability", _): throw .invalid(name, "probability must be a number from 0 to 1")
        case ("delay_ms", .numberValue(let number)?) where (0...Self.longestDelayMilliseconds).contains(number): delayMilliseconds = number
        case ("delay_ms", _): throw .invalid(name, "delay_ms must be a number from 0 to \(Int(Self.longestDelayMilliseconds))")
        case ("count", .numberValue(let number)?) where (0...1e9).contains(number) && number == number.rounded(): count = Int(number)
        case ("count", _): throw .invalid(name, "count must be null or a whole number from 0 to 1000000000")
        default:
            throw .invalid(name, "unknown member \(FleetEngineError.shown(name)): use rpc, code, probability, delay_ms or count")
        }
    }
}

extension FaultRule: Encodable {
    private enum Key: String, CodingKey {
        case rpc, code, probability, count
        case delay = "delay_ms"
    }

    func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: Key.self)
        try members.encode(rpc, forKey: .rpc)
        try members.encode(code?.name, forKey: .code)
        try members.encode(probability, forKey: .probability)
        try members.encode(delayMilliseconds, forKey: .delay)
        try members.encode(count, forKey: .count)
    }
}
