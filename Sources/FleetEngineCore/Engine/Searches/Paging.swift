import FleetEngine

/// Splits a list into pages, in the order of serials. A page's token contains the last serial of the page before. Therefore, an
/// addition or a removal between two requests does not repeat or skip other members.
struct Paging {
    static let defaultSize = 100

    private let size: Int
    private let after: UInt64?

    /// - Throws: INVALID_ARGUMENT for a negative size and for an unknown token.
    init(size: Int32, token: String, limits: EngineLimits) throws(FleetEngineError) {
        try Check.notNegative(size, "page_size")
        self.size = size == 0 ? Self.defaultSize : min(Int(size), limits.pageSize)
        guard !token.isEmpty else {
            after = nil
            return
        }
        guard token.hasPrefix("after-"), let serial = UInt64(token.dropFirst(6)) else {
            throw .invalid("page_token", "page_token does not come from this server")
        }
        after = serial
    }

    /// Returns the rows of the page, and the token of the next page, which is empty if there is no next page.
    func page<Row>(of list: SerialList<Row>, where passes: (_ place: Int) -> Bool) -> (rows: [Row], nextToken: String) {
        var page: [Int] = []
        for place in list.places(after: after) where passes(place) {
            guard page.count < size else { return (page.map { list[$0] }, page.last.map { "after-\(list.serial(at: $0))" } ?? "") }
            page.append(place)
        }
        return (page.map { list[$0] }, "")
    }

    /// Returns the rows of the page, the token of the next page (empty if there is no next page), and the number of rows on all pages. Each
    /// row is examined once.
    func countedPage<Row>(
        of list: SerialList<Row>, where passes: (_ place: Int) -> Bool
    ) -> (rows: [Row], nextToken: String, count: Int) {
        var page: [Int] = []
        var count = 0
        var hasMore = false
        for place in list.places() where passes(place) {
            count += 1
            guard after.map({ list.serial(at: place) > $0 }) ?? true else { continue }
            if page.count < size { page.append(place) } else { hasMore = true }
        }
        let last = hasMore ? page.last : nil
        return (page.map { list[$0] }, last.map { "after-\(list.serial(at: $0))" } ?? "", count)
    }
}
