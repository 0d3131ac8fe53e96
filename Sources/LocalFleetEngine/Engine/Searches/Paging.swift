import FleetEngine

/// Cuts a list into pages. The list is ordered by serial, and a token names the last one shown, so that trips and vehicles that come
/// and go between two pages neither repeat nor hide others.
struct Paging {
    static let defaultSize = 100

    private let size: Int
    private let after: UInt64?

    /// - Throws: INVALID_ARGUMENT for a negative size and for a token that no answer contained.
    init(size: Int32, token: String, limits: EngineLimits) throws(FleetEngineError) {
        try Check.notNegative(size, "page_size")
        self.size = size == 0 ? Self.defaultSize : min(Int(size), limits.pageSize)
        guard !token.isEmpty else {
            after = nil
            return
        }
        guard token.hasPrefix("after-"), let serial = UInt64(token.dropFirst(6)) else {
            throw .invalid("page_token", "page_token is not one that this server gave out")
        }
        after = serial
    }

    /// - Parameter elements: in any order.
    func page<Element>(of elements: [Element], serial: (Element) -> UInt64) -> (elements: [Element], nextToken: String) {
        let sorted = elements.filter { after == nil || serial($0) > after ?? 0 }.sorted { serial($0) < serial($1) }
        let page = Array(sorted.prefix(size))
        guard sorted.count > page.count, let last = page.last else { return (page, "") }
        return (page, "after-\(serial(last))")
    }
}
