import FleetEngineAccess

/// Rights that a path of the HTTP port requires of a provider API key.
enum DeskNeed: Hashable, Sendable {
    /// A provider API key is not required.
    case open
    /// Any valid key.
    case key
    case right(DeskRight)
    /// A key with all rights.
    case allRights

    /// Returns the names of the required rights that a key with these rights lacks; nil if it has all of them.
    func missing(in rights: Set<DeskRight>) -> String? {
        let needed: [DeskRight] =
            switch self {
            case .open, .key: []
            case .right(let right): [right]
            case .allRights: DeskRight.allCases
            }
        let missing = needed.filter { !rights.contains($0) }
        return missing.isEmpty ? nil : missing.map(\.rawValue).joined(separator: ", ")
    }
}

/// A path of the HTTP port, and the rights that a request to it requires. The table in docs/serving.md has the same content as
/// `table`.
struct DeskPath: Sendable {
    /// The HTTP methods of the path; `GET` includes HEAD.
    let methods: [String]
    /// The segments of the path. A segment that begins with `{` matches any text.
    let segments: [String]
    let need: DeskNeed

    /// Path in the notation of the documentation.
    var text: String { "/" + segments.joined(separator: "/") }

    private init(_ methods: [String], _ path: String, _ need: DeskNeed) {
        self.methods = methods
        segments = path.split(separator: "/").map(String.init)
        self.need = need
    }

    /// Paths of health checks. They need no key and have no rate limit.
    static let healthChecks: Set<String> = ["/healthz", "/readyz"]

    static let table = [
        DeskPath(["POST"], "trip/new", .right(.book)),
        DeskPath(["PUT"], "trip", .right(.cancel)),
        DeskPath(["PUT"], "trip/{id}", .right(.cancel)),
        DeskPath(["GET"], "token/{kind}", .right(.tokens)),
        DeskPath(["GET"], "token/{kind}/{id}", .right(.tokens)),
        DeskPath(["POST"], "car/new", .right(.phones)),
        DeskPath(["POST"], "car/revoke", .right(.phones)),
        DeskPath(["POST"], "vehicle/new", .right(.phones)),
        DeskPath(["PUT"], "vehicle/{id}", .right(.phones)),
        DeskPath(["POST", "PUT"], "vehicles", .right(.phones)),
        DeskPath(["POST", "PUT"], "vehicles/{id}", .right(.phones)),
        DeskPath(["POST"], "backend_config", .right(.book)),
        DeskPath(["POST", "PUT"], "task/{id}", .right(.cancel)),
        DeskPath(["POST"], "manifest", .right(.phones)),
        DeskPath(["POST"], "manifest/{id}", .right(.phones)),
        DeskPath(["POST", "PUT"], "delivery_vehicle/{id}", .right(.phones)),
        DeskPath(["GET"], "trip", .key),
        DeskPath(["GET"], "trip/{id}", .key),
        DeskPath(["GET"], "vehicle/{id}", .key),
        DeskPath(["GET"], "vehicle/{id}/driven", .key),
        DeskPath(["GET"], "vehicles", .key),
        DeskPath(["GET"], "vehicles/{id}", .key),
        DeskPath(["GET"], "cars", .key),
        DeskPath(["GET"], "backend_config", .key),
        DeskPath(["GET"], "manifest", .key),
        DeskPath(["GET"], "manifest/{id}", .key),
        DeskPath(["GET"], "task/{id}", .key),
        DeskPath(["GET"], "tasks", .key),
        DeskPath(["GET"], "taskInfoByTrackingId/{id}", .key),
        DeskPath(["GET"], "delivery_vehicle/{id}", .key),
        DeskPath(["GET"], "metrics", .key),
        DeskPath(["POST"], "_tripwatch/reset", .allRights),
        DeskPath(["GET"], "_tripwatch/state", .allRights),
        DeskPath(["PUT"], "_tripwatch/faults", .allRights),
        DeskPath(["PUT"], "_tripwatch/clock", .allRights),
    ]

    /// Returns the rights that a request requires. An open path, such as a health check, requires no key. For any other path, the row of
    /// `table` with the method and path decides. Without such a row, reading requires any valid key, and writing requires all rights. A new
    /// path is therefore protected by default.
    static func need(of method: String, path: String) -> DeskNeed {
        if isOpen(path) { return .open }
        let parts = path.split(separator: "/")
        let method = method == "HEAD" ? "GET" : method
        if let row = table.first(where: { $0.methods.contains(method) && $0.fits(parts) }) { return row.need }
        return method == "GET" ? .key : .allRights
    }

    /// Whether a path needs no provider API key.
    private static func isOpen(_ path: String) -> Bool {
        ["/", "/v1"].contains(path) || healthChecks.contains(path) || path.hasPrefix("/v1/") || PhonePath.opens(path)
    }

    private func fits(_ parts: [Substring]) -> Bool {
        parts.count == segments.count && zip(parts, segments).allSatisfy { $1.hasPrefix("{") || $0 == $1 }
    }
}
