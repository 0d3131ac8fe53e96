public import Geo
import Glibc
import TerminalCanvas

/// Moves a camera along a trip in steps. Between two steps most of the screen stays the same, so a slow connection has little to transmit.
///
/// If the vehicle has a next stop, the camera shows the vehicle, the stop and the route between them. The view changes only when the
/// vehicle or the stop leaves it, or when the best zoom is a whole level away from the current one. If the route does not fit at the lowest
/// zoom, the camera shows at least the vehicle. If the vehicle has neither a next stop nor a route ahead, the camera keeps the vehicle in
/// the middle third of the view. If the heading is known, the camera then shows more of the map ahead of the vehicle than behind it.
public struct AutoCamera: Sendable, Hashable {
    /// The positions that the view should contain.
    public struct Target: Sendable, Hashable {
        /// The vehicle's position; nil while it is not known.
        public var vehicle: Coordinate?
        /// The vehicle's heading, degrees clockwise from north; nil if it is not known.
        public var headingDegrees: Double?
        /// The vehicle's next stop; nil if it has no stop left.
        public var nextStop: Coordinate?
        /// The route from the vehicle to the stop.
        public var routeAhead: [Coordinate]
        /// Other positions to show while the vehicle's position is not known.
        public var others: [Coordinate]

        /// Creates a target, by default an empty one.
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

        /// Whether the target has no positions.
        public var isEmpty: Bool { vehicle == nil && nextStop == nil && routeAhead.isEmpty && others.isEmpty }
    }

    /// Whether the camera moves by itself (the SDK's `isAllowCameraAutoUpdate`). When it is switched on, the next update fits the view
    /// again.
    public var isEnabled: Bool {
        didSet { if isEnabled && !oldValue { isFresh = true } }
    }
    /// Cells at the edges of the view that stay free, for labels, the scale and the attribution.
    public var margins: Camera.Margins
    /// The closest zoom that the camera chooses.
    public var maximumZoom: Double
    /// The zoom for a vehicle without a next stop.
    public var vehicleZoom: Double
    /// Whether the next update fits the view even if nothing has moved.
    private var isFresh = true

    /// The zoom that fits a target is rounded down to a multiple of this step.
    static let zoomStep = 0.5
    /// The view changes if the zoom that fits differs from the current one by at least this much.
    static let hysteresis = 1.0

    /// Creates a camera that fits the view at its first update.
    ///
    /// - Parameters:
    ///   - isEnabled: whether the camera moves by itself.
    ///   - margins: cells at the edges of the view that stay free.
    ///   - maximumZoom: the closest zoom that the camera chooses.
    ///   - vehicleZoom: the zoom when the view is fitted to a vehicle with neither a next stop nor a route ahead: at the first update,
    ///     after a reset, and after the camera is switched on.
    public init(
        isEnabled: Bool = true, margins: Camera.Margins = Camera.Margins(left: 3, right: 3, top: 2, bottom: 2),
        maximumZoom: Double = 16.5, vehicleZoom: Double = 15
    ) {
        self.isEnabled = isEnabled
        self.margins = margins
        self.maximumZoom = maximumZoom
        self.vehicleZoom = vehicleZoom
    }

    /// Switches the camera off, because the user has moved or zoomed the map.
    public mutating func noteManualMove() { isEnabled = false }

    /// Switches the camera on and fits the view at the next update, even if nothing has moved (the SDK's `resetCamera`).
    public mutating func reset() {
        isEnabled = true
        isFresh = true
    }

    /// Returns the camera for a target. Returns the current camera if the view need not change.
    public mutating func camera(for target: Target, from current: Camera) -> Camera {
        guard isEnabled, !target.isEmpty, current.size.columns > 0, current.size.rows > 0 else { return current }
        defer { isFresh = false }
        if let vehicle = target.vehicle, vehicle.isValid, target.nextStop == nil, target.routeAhead.isEmpty {
            return following(vehicle, heading: target.headingDegrees, from: current)
        }
        guard let box = BoundingBox(coordinates(of: target)) else { return current }
        let fitted = current.fitted(to: box, margins: margins(for: current.size), maximumZoom: maximumZoom, zoomStep: Self.zoomStep)
            .keeping(target.vehicle)
        if isFresh || fitted.zoom >= current.zoom + Self.hysteresis || fitted.zoom < current.zoom - Self.hysteresis { return fitted }
        return shows(target, in: current) ? current : fitted
    }

    /// Returns the coordinates that the view must contain. They include the whole route to the stop, since the vehicle will drive along it.
    /// If none of these coordinates is valid, returns the other positions.
    private func coordinates(of target: Target) -> [Coordinate] {
        let trip = [target.vehicle, target.nextStop].compactMap { $0 } + target.routeAhead
        return trip.contains { $0.isValid } ? trip : target.others
    }

    /// Whether the vehicle and the stop are inside the view, at least one cell from its edges.
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

    /// Returns a camera whose centre is ahead of the vehicle, so that the camera has to move less often. The vehicle stays in the middle
    /// third of the view. Without a heading, the vehicle is at the centre.
    private func lookingAhead(of vehicle: Coordinate, heading: Double?, at camera: Camera) -> Camera {
        let centered = camera.centered(on: vehicle)
        guard let heading, heading.isFinite else { return centered }
        let angle = heading.remainder(dividingBy: 360) * .pi / 180
        let columns = (sin(angle) * Double(camera.size.columns) / 8).rounded(.towardZero)
        let rows = (-cos(angle) * Double(camera.size.rows) / 8).rounded(.towardZero)
        return centered.panned(columns: Int(columns), rows: Int(rows))
    }

    /// Returns the margins. They are smaller on a small map.
    private func margins(for size: Size) -> Camera.Margins {
        Camera.Margins(
            left: min(margins.left, size.columns / 6), right: min(margins.right, size.columns / 6), top: min(margins.top, size.rows / 6),
            bottom: min(margins.bottom, size.rows / 6))
    }
}
