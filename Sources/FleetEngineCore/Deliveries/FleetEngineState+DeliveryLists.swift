public import FleetEngine
public import FoundationEssentials
public import Geo

extension FleetEngineState {
    /// A page of a list.
    public struct DeliveryPage<Answer: Equatable & Sendable>: Equatable, Sendable {
        /// The members, oldest first.
        public let answers: [Answer]
        /// The token of the next page; empty on the last.
        public let nextPageToken: String
        /// The number of members on all pages.
        public let totalSize: Int
    }

    /// A request for a page of a list.
    public struct DeliveryListing: Hashable, Sendable {
        /// The list's provider.
        public var provider: ProviderName
        /// Largest number of members on the page; 0 for the server's default.
        public var pageSize: Int32
        /// The token from the previous page; empty for the first page.
        public var pageToken: String
        /// The filter; empty for all members.
        public var filter: String

        /// Creates a request, by default for the first page.
        public init(of provider: ProviderName, pageSize: Int32 = 0, pageToken: String = "", filter: String = "") {
            self.provider = provider
            self.pageSize = pageSize
            self.pageToken = pageToken
            self.filter = filter
        }
    }

    /// The tasks of a provider that pass a filter, oldest first, without the routes to them.
    ///
    /// - Throws: INVALID_ARGUMENT.
    public func listTasks(_ listing: DeliveryListing) throws(FleetEngineError) -> DeliveryPage<TaskAnswer> {
        let filter = try DeliveryFilter(listing.filter, takesTaskProperties: true)
        let paging = try BoundPaging(listing, viewport: nil, limits: options.limits)
        let rows = deliveries.taskIndex.rows(Self.key(filter, listing.provider.provider))
        let page = paging.page(of: rows) { filter.passes(rows[$0]) }
        return DeliveryPage(
            answers: page.rows.compactMap { row in deliveries.tasks[row.name].map { TaskAnswer(listed: $0) } },
            nextPageToken: page.nextToken, totalSize: rows.places().reduce(0) { filter.passes(rows[$1]) ? $0 + 1 : $0 })
    }

    /// The key of the shortest list that has all matches.
    private static func key(_ filter: DeliveryFilter, _ provider: String) -> TaskIndex.Key {
        if let id = filter.required(.trackingID) { return .tracking(provider: provider, id: id) }
        if let id = filter.required(.vehicleID) { return .vehicle(provider: provider, id: id) }
        return .provider(provider)
    }

    /// The delivery vehicles of a provider that pass a filter, oldest first, without their stops.
    ///
    /// - Parameter viewport: the window that must contain a vehicle's last position; nil for no window. It crosses the antimeridian if its
    ///   western side lies east of its eastern one.
    /// - Throws: INVALID_ARGUMENT.
    public func listDeliveryVehicles(
        _ listing: DeliveryListing, within viewport: DeliveryViewport? = nil, now: Date
    ) throws(FleetEngineError) -> DeliveryPage<DeliveryVehicleAnswer> {
        let filter = try DeliveryFilter(listing.filter, takesTaskProperties: false)
        try viewport?.check()
        let paging = try BoundPaging(listing, viewport: viewport, limits: options.limits)
        let names = deliveries.fleets[listing.provider.provider] ?? SerialList()
        var count = 0
        var passing: Set<Int> = []
        for place in names.places() {
            guard let record = deliveries.vehicles[names[place]], filter.passes(record.attributes),
                viewport.map({ view in record.position.map(view.contains) ?? false }) ?? true
            else { continue }
            count += 1
            passing.insert(place)
        }
        let page = paging.page(of: names) { passing.contains($0) }
        return DeliveryPage(
            answers: page.rows.compactMap { name in
                deliveries.vehicles[name].map { DeliveryVehicleAnswer($0, now: now, windows: nil) }
            }, nextPageToken: page.nextToken, totalSize: count)
    }
}

/// A window of a map.
public struct DeliveryViewport: Hashable, Sendable {
    /// The south-western corner.
    public var low: Coordinate
    /// The north-eastern corner.
    public var high: Coordinate

    /// Creates the window between two corners.
    public init(low: Coordinate, high: Coordinate) {
        self.low = low
        self.high = high
    }

    fileprivate func check() throws(FleetEngineError) {
        try Check.place(low, "viewport.low")
        try Check.place(high, "viewport.high")
        guard low.latitude <= high.latitude else { throw .invalid("viewport", "viewport.low must not lie north of viewport.high") }
    }

    fileprivate func contains(_ place: Coordinate) -> Bool {
        guard place.latitude >= low.latitude, place.latitude <= high.latitude else { return false }
        return low.longitude <= high.longitude
            ? place.longitude >= low.longitude && place.longitude <= high.longitude
            : place.longitude >= low.longitude || place.longitude <= high.longitude
    }
}

/// Pages with tokens that are valid for one filter and viewport only.
private struct BoundPaging {
    private let paging: Paging
    private let mark: String

    /// - Throws: INVALID_ARGUMENT for a negative size, an unknown token, and a token of another list.
    init(
        _ listing: FleetEngineState.DeliveryListing, viewport: DeliveryViewport?, limits: EngineLimits
    ) throws(FleetEngineError) {
        var text = "\(listing.provider)\n\(listing.filter)"
        if let viewport {
            for number in [viewport.low.latitude, viewport.low.longitude, viewport.high.latitude, viewport.high.longitude] {
                text += "\n\(number)"
            }
        }
        mark = String(text.utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }, radix: 16)
        var token = listing.pageToken
        if !token.isEmpty {
            guard token.hasSuffix("-\(mark)") else {
                throw .invalid("page_token", "page_token belongs to another list: parent, filter and viewport must stay the same")
            }
            token.removeLast(mark.count + 1)
        }
        paging = try Paging(size: listing.pageSize, token: token, limits: limits)
    }

    func page<Row>(of list: SerialList<Row>, where passes: (_ place: Int) -> Bool) -> (rows: [Row], nextToken: String) {
        let page = paging.page(of: list, where: passes)
        return (page.rows, page.nextToken.isEmpty ? "" : "\(page.nextToken)-\(mark)")
    }
}
