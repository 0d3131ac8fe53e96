public import Geo
import Glibc
import TerminalCanvas

/// Moves a camera after a trip, in steps, so that little of the screen changes and a slow line is not flooded.
///
/// With a next stop it shows the vehicle, the stop and the way between; the view stays as it is until one of them leaves it or it could be closer
/// by a whole zoom. Without one it keeps the vehicle in the middle third, with more of the map ahead of it than behind. Whoever moves the
/// map by hand switches it off.
public struct AutoCamera: Sendable, Hashable {
    /// What is to be seen.
    public struct Target: Sendable, Hashable {
        /// Where the vehicle is; nil while that is not known.
        public var vehicle: Coordinate?
        /// Where the vehicle is heading, degrees clockwise from north; nil when that is not known.
        public var headingDegrees: Double?
        /// Where the vehicle stops next; nil without a stop.
        public var nextStop: Coordinate?
        /// The way from the vehicle to the stop.
        public var routeAhead: [Coordinate]
        /// For the moments without a vehicle: everything else worth seeing.
        public var others: [Coordinate]

        /// What is to be seen; everything left out is not known or not there.
        public init(
            vehicle: Coordinate? = nil, headingDegrees: Double? = nil, nextStop: Coordinate? = nil, routeAhead: [Coordinate] = [],
            others: [Coordinate] = []
        ) {
            self.vehicle = vehicle
            self.headingDegrees = headingDegrees
            self.nextStop = nextStop
            self.routeAhead = routeAhead
            self.others = others
        }

        /// Whether there is nothing to be seen.
        public var isEmpty: Bool { vehicle == nil && nextStop == nil && routeAhead.isEmpty && others.isEmpty }
    }

    /// Whether the camera moves by itself (the SDK's `isAllowCameraAutoUpdate`); switching it on fits afresh.
    public var isEnabled: Bool {
        didSet { if isEnabled && !oldValue { isFresh = true } }
    }
    /// Cells around what is fitted, for labels and the furniture of the map.
    public var margins: Camera.Margins
    /// No closer than this.
    public var maximumZoom: Double
    /// The zoom when there is nothing but a vehicle.
    public var vehicleZoom: Double
    /// Whether the next update fits afresh whatever there is.
    private var isFresh = true

    /// The zooms that are fitted are multiples of this.
    static let zoomStep = 0.5
    /// The view comes closer when it could do so by this much.
    static let hysteresis = 1.0

    /// A camera that fits afresh at its first update.
    ///
    /// - Parameters:
    ///   - isEnabled: whether it moves by itself.
    ///   - margins: cells around what is fitted.
    ///   - maximumZoom: the closest zoom that it chooses.
    ///   - vehicleZoom: the zoom for a vehicle alone.
    public init(
        isEnabled: Bool = true, margins: Camera.Margins = Camera.Margins(left: 3, right: 3, top: 2, bottom: 2),
        maximumZoom: Double = 16.5, vehicleZoom: Double = 15
    ) {
        self.isEnabled = isEnabled
        self.margins = margins
        self.maximumZoom = maximumZoom
        self.vehicleZoom = vehicleZoom
    }

    /// Somebody panned or zoomed by hand.
    public mutating func noteManualMove() { isEnabled = false }

    /// Fits afresh at the next update, whatever is shown now (the SDK's `resetCamera`).
    public mutating func reset() {
        isEnabled = true
        isFresh = true
    }

    /// The camera for a target, given the one that is used now; the same one if nothing has to move.
    public mutating func camera(for target: Target, from current: Camera) -> Camera {
        guard isEnabled, !target.isEmpty, current.size.columns > 0, current.size.rows > 0 else { return current }
        defer { isFresh = false }
        if let vehicle = target.vehicle, vehicle.isValid, target.nextStop == nil, target.routeAhead.isEmpty {
            return following(vehicle, heading: target.headingDegrees, from: current)
        }
        guard let box = BoundingBox(coordinates(of: target)) else { return current }
        let fitted = current.fitted(to: box, margins: margins(for: current.size), maximumZoom: maximumZoom, zoomStep: Self.zoomStep)
        if isFresh || fitted.zoom >= current.zoom + Self.hysteresis || fitted.zoom < current.zoom - Self.hysteresis { return fitted }
        return shows(target, in: current) ? current : fitted
    }

    /// What must be in the view: the whole way to the stop, since that is where the vehicle will be.
    private func coordinates(of target: Target) -> [Coordinate] {
        let trip = [target.vehicle, target.nextStop].compactMap { $0 } + target.routeAhead
        return trip.contains { $0.isValid } ? trip : target.others
    }

    /// Whether vehicle and stop are inside the view, a cell off its edges.
    private func shows(_ target: Target, in camera: Camera) -> Bool {
        let ends = [target.vehicle, target.nextStop].compactMap { $0 }.filter(\.isValid)
        let inner = Rectangle(camera.size).inset(
            columns: camera.size.columns > 8 ? 1 : 0, rows: camera.size.rows > 4 ? 1 : 0)
        return ends.allSatisfy { camera.cell(at: $0).map(inner.contains) ?? false }
    }

    private func following(_ vehicle: Coordinate, heading: Double?, from current: Camera) -> Camera {
        if isFresh { return lookingAhead(of: vehicle, heading: heading, at: current.zoomed(to: vehicleZoom)) }
        let third = Rectangle(
            column: current.size.columns / 3, row: current.size.rows / 3, columns: (current.size.columns + 2) / 3,
            rows: (current.size.rows + 2) / 3)
        let isInside = current.cell(at: vehicle).map(third.contains) ?? false
        return isInside ? current : lookingAhead(of: vehicle, heading: heading, at: current)
    }

    /// Puts the vehicle so far off the middle, against its heading, that it stays in the middle third: there is more to see ahead than behind, and the
    /// next step of the camera comes later.
    private func lookingAhead(of vehicle: Coordinate, heading: Double?, at camera: Camera) -> Camera {
        let centered = camera.centered(on: vehicle)
        guard let heading, heading.isFinite else { return centered }
        let angle = heading.remainder(dividingBy: 360) * .pi / 180
        let columns = (sin(angle) * Double(camera.size.columns) / 8).rounded(.towardZero)
        let rows = (-cos(angle) * Double(camera.size.rows) / 8).rounded(.towardZero)
        return centered.panned(columns: Int(columns), rows: Int(rows))
    }

    /// The margins, less of them on a small map.
    private func margins(for size: Size) -> Camera.Margins {
        Camera.Margins(
            left: min(margins.left, size.columns / 6), right: min(margins.right, size.columns / 6), top: min(margins.top, size.rows / 6),
            bottom: min(margins.bottom, size.rows / 6))
    }
}
