import FleetEngineAccess

/// What a path of the HTTP port asks of a key of the provider API.
enum DeskNeed: Hashable, Sendable {
    /// No key of the provider API.
    case open
    /// Any valid key.
    case key
    case right(DeskRight)
    /// The key with all rights.
    case allRights

    /// The names of the rights that a key lacks; nil where it has enough.
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

/// The one table of who may ask which path of the HTTP port. The table of docs/serving.md says the same.
struct DeskPath: Sendable {
    /// `GET` stands for HEAD too.
    let methods: [String]
    /// Segments; one that begins with `{` stands for any.
    let segments: [String]
    let need: DeskNeed

    /// As the documentation writes it.
    var text: String { "/" + segments.joined(separator: "/") }

    private init(_ methods: [String], _ path: String, _ need: DeskNeed) {
        self.methods = methods
        segments = path.split(separator: "/").map(String.init)
        self.need = need
    }

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
        DeskPath(["GET"], "trip", .key),
        DeskPath(["GET"], "trip/{id}", .key),
        DeskPath(["GET"], "vehicle/{id}", .key),
        DeskPath(["GET"], "vehicle/{id}/driven", .key),
        DeskPath(["GET"], "vehicles", .key),
        DeskPath(["GET"], "vehicles/{id}", .key),
        DeskPath(["GET"], "cars", .key),
        DeskPath(["GET"], "metrics", .key),
        DeskPath(["POST"], "_tripwatch/reset", .allRights),
        DeskPath(["GET"], "_tripwatch/state", .allRights),
        DeskPath(["PUT"], "_tripwatch/faults", .allRights),
        DeskPath(["PUT"], "_tripwatch/clock", .allRights),
    ]

    /// What a request needs. A write that is not in the table needs all rights: a new path must not open by itself.
    static func need(of method: String, path: String) -> DeskNeed {
        if isOpen(path) { return .open }
        let parts = path.split(separator: "/")
        let method = method == "HEAD" ? "GET" : method
        if let row = table.first(where: { $0.methods.contains(method) && $0.fits(parts) }) { return row.need }
        return method == "GET" ? .key : .allRights
    }

    /// Monitors, the engine's own paths and those of phones ask for no key of the provider API.
    private static func isOpen(_ path: String) -> Bool {
        ["/", "/healthz", "/readyz", "/v1"].contains(path) || path.hasPrefix("/v1/") || PhonePath.opens(path)
    }

    private func fits(_ parts: [Substring]) -> Bool {
        parts.count == segments.count && zip(parts, segments).allSatisfy { $1.hasPrefix("{") || $0 == $1 }
    }
}
