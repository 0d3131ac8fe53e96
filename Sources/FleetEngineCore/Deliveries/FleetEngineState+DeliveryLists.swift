public import FleetEngine
public import FoundationEssentials
public import Geo

extension FleetEngineState {
    /// One page of a list of tasks or delivery vehicles.
    public struct DeliveryPage<Answer: Equatable & Sendable>: Equatable, Sendable {
        /// The tasks or vehicles on the page, oldest first.
        public let answers: [Answer]
        /// The token of the next page; empty on the last page.
        public let nextPageToken: String
        /// The number of tasks or vehicles on all pages together.
        public let totalSize: Int
    }

    /// A request for one page of a list of tasks or delivery vehicles.
    public struct DeliveryListing: Hashable, Sendable {
        /// The provider whose tasks or vehicles are listed.
        public var provider: ProviderName
        /// Maximum number of tasks or vehicles on the page; 0 for the server's default.
        public var pageSize: Int32
        /// The token from the previous page; empty for the first page.
        public var pageToken: String
        /// The text of the filter; empty for all tasks or vehicles.
        public var filter: String

        /// Creates a request, by default for the first page.
        public init(of provider: ProviderName, pageSize: Int32 = 0, pageToken: String = "", filter: String = "") {
            self.provider = provider
            self.pageSize = pageSize
            self.pageToken = pageToken
            self.filter = filter
        }
    }

    /// Returns a page of a provider's tasks, oldest first. Only tasks that pass the filter are listed. The answers do not contain the
    /// vehicles' routes.
    ///
    /// - Throws: INVALID_ARGUMENT.
    public func listTasks(_ listing: DeliveryListing) throws(FleetEngineError) -> DeliveryPage<TaskAnswer> {
        let list = try TaskListing(listing, limits: options.limits)
        return list.page(of: deliveries.taskIndex.rows(list.key)) { names in names.compactMap { deliveries.tasks[$0] } }
    }

    /// Returns a page of a provider's delivery vehicles, oldest first. Only vehicles that pass the filter are listed. The answers do not
    /// contain the vehicles' stops.
    ///
    /// - Parameter viewport: the window on the map that must contain a vehicle's last position; nil for any position. A window whose
    ///   western side has a greater longitude than its eastern side crosses the antimeridian.
    /// - Throws: INVALID_ARGUMENT.
    public func listDeliveryVehicles(
        _ listing: DeliveryListing, within viewport: DeliveryViewport? = nil, now: Date
    ) throws(FleetEngineError) -> DeliveryPage<DeliveryVehicleAnswer> {
        let list = try DeliveryVehicleListing(listing, within: viewport, limits: options.limits)
        return list.page(of: deliveries.fleet(of: list.provider), now: now) { names in names.compactMap { deliveries.vehicles[$0] } }
    }
}

/// A checked request for a list of tasks. Its pages are made from copies of the rows, so other calls do not have to wait.
package struct TaskListing: Sendable {
    /// The key of the rows to search. If the filter requires a tracking id, the key is that id. If not, it is the required vehicle, or else
    /// the required state OPEN. If the filter requires none of these, the key is the provider.
    package let key: TaskIndex.Key
    private let paging: BoundPaging
    /// The restrictions that the key does not already ensure.
    private let filter: DeliveryFilter

    /// - Throws: INVALID_ARGUMENT.
    package init(_ listing: FleetEngineState.DeliveryListing, limits: EngineLimits) throws(FleetEngineError) {
        let filter = try DeliveryFilter(listing.filter, takesTaskProperties: true)
        paging = try BoundPaging(listing, viewport: nil, limits: limits)
        let provider = listing.provider.provider
        let open = DeliveryTaskState.open.rawValue
        if let id = filter.required(.trackingID) {
            key = .tracking(provider: provider, id: id)
            self.filter = filter.without(.trackingID, id)
        } else if let id = filter.required(.vehicleID) {
            key = .vehicle(provider: provider, id: id)
            self.filter = filter.without(.vehicleID, id)
        } else if filter.required(.state) == open {
            key = .open(provider: provider)
            self.filter = filter.without(.state, open)
        } else {
            key = .provider(provider)
            self.filter = filter
        }
    }

    /// Returns one page of the list.
    ///
    /// - Parameters:
    ///   - rows: the rows of `key`.
    ///   - records: returns the records of the named tasks, and omits tasks that were removed.
    package func page(
        of rows: SerialList<TaskRow>, records: ([TaskName]) -> [TaskRecord]
    ) -> FleetEngineState.DeliveryPage<TaskAnswer> {
        let page = paging.page(of: rows, where: filter.isEmpty ? nil : { filter.passes(rows[$0]) })
        return FleetEngineState.DeliveryPage(
            answers: records(page.rows.map(\.name)).map { TaskAnswer(listed: $0) }, nextPageToken: page.nextToken, totalSize: page.count)
    }
}

/// A checked request for a list of delivery vehicles. Its pages are made from copies of the rows, so other calls do not wait.
package struct DeliveryVehicleListing: Sendable {
    package let provider: String
    private let paging: BoundPaging
    private let filter: DeliveryFilter
    private let viewport: DeliveryViewport?

    /// - Throws: INVALID_ARGUMENT.
    package init(
        _ listing: FleetEngineState.DeliveryListing, within viewport: DeliveryViewport?, limits: EngineLimits
    ) throws(FleetEngineError) {
        filter = try DeliveryFilter(listing.filter, takesTaskProperties: false)
        try viewport?.check()
        paging = try BoundPaging(listing, viewport: viewport, limits: limits)
        provider = listing.provider.provider
        self.viewport = viewport
    }

    /// Returns one page of the list.
    ///
    /// - Parameters:
    ///   - rows: the rows of the provider's delivery vehicles.
    ///   - records: returns the records of the named delivery vehicles, and omits vehicles that were removed.
    package func page(
        of rows: SerialList<DeliveryVehicleRow>, now: Date, records: ([DeliveryVehicleName]) -> [DeliveryVehicleRecord]
    ) -> FleetEngineState.DeliveryPage<DeliveryVehicleAnswer> {
        let page = paging.page(of: rows, where: filter.isEmpty && viewport == nil ? nil : { passes(rows[$0]) })
        return FleetEngineState.DeliveryPage(
            answers: records(page.rows.map(\.name)).map { DeliveryVehicleAnswer($0, now: now, windows: nil) },
            nextPageToken: page.nextToken, totalSize: page.count)
    }

    private func passes(_ row: DeliveryVehicleRow) -> Bool {
        guard filter.passes(row.attributes) else { return false }
        guard let viewport else { return true }
        return row.position.map(viewport.contains) ?? false
    }
}

/// A rectangle on a map. Its sides lie along meridians and parallels.
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

/// Splits a list into pages. The page tokens are valid only for one provider, filter and viewport.
private struct BoundPaging: Sendable {
    private let paging: Paging
    private let mark: String

    /// - Throws: INVALID_ARGUMENT for a negative size, for an unknown token, and for the token of another list.
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

    /// - Parameter passes: returns whether the row at an index belongs to the list. If nil, all rows belong to it, and no row is examined.
    /// - Returns: the rows of the page, the token of the next page, and the number of rows on all pages.
    func page<Row>(
        of list: SerialList<Row>, where passes: ((_ place: Int) -> Bool)?
    ) -> (rows: [Row], nextToken: String, count: Int) {
        let page: (rows: [Row], nextToken: String, count: Int)
        if let passes {
            page = paging.countedPage(of: list, where: passes)
        } else {
            let all = paging.page(of: list) { _ in true }
            page = (all.rows, all.nextToken, list.count)
        }
        return (page.rows, page.nextToken.isEmpty ? "" : "\(page.nextToken)-\(mark)", page.count)
    }
}
