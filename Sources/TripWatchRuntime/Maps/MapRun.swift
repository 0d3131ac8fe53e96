import FleetEngine
import FleetEngineGRPC
import Geo
package import ProgramSurroundings
package import ProviderBackend
import TerminalCanvas
import TerminalMap
import TerminalScreen
import TripWatchScreen
import TripWatchSettings
import TripWatchWords
import VectorTiles

/// Shows a map on the screen, or prints one frame.
package struct MapRun: Sendable {
    /// The place to show at first; nil for the initial view.
    package var place: MapPlace?
    /// The settings of a single printed frame; nil to open the screen.
    package var dump: DumpSettings?
    package var look: ScreenSettings
    /// The vehicles to show on the map; nil for none.
    package var fleet: FleetSettings?
    /// The client that books rides; nil if booking is not possible.
    package var provider: ProviderBackendClient?

    package init(place: MapPlace?, dump: DumpSettings?, look: ScreenSettings) {
        self.place = place
        self.dump = dump
        self.look = look
    }

    /// The way the program ends, and the ride that was booked on the map; nil if none was booked.
    package typealias End = (program: ProgramEnd, booked: BookedRide?)

    private struct View {
        var center: Coordinate
        var zoom: Double
    }

    /// Shows the map until the user quits, or prints the frame.
    /// - Returns: how the program ends, and the ride that was booked on the map.
    package func perform(in surroundings: Surroundings) async throws -> End {
        let ground = try look.overlay.open(in: surroundings)
        let map = try look.map.open(standard: .town, in: surroundings)
        let size = dump?.size ?? surroundings.streams.outputSize ?? Size(columns: 80, rows: 24)
        let view = try await view(of: map, ground, size: size)
        guard let fleet else { return try await perform(view, map, ground, in: surroundings) }
        fleet.pace.sayWhatIsRaised(for: fleet.connection.endpoint, in: surroundings)
        let guardsHelpers = dump != nil
        return try await ClientSession.run(fleet.connection, in: surroundings, as: .server, guardsHelpers: guardsHelpers) { client in
            try await perform(view, map, ground, fleet: (client, fleet), in: surroundings)
        }
    }

    private func perform(
        _ view: View, _ map: BaseMapSupply, _ ground: GroundOverlay?, fleet: (client: any FleetClient, settings: FleetSettings)? = nil,
        in surroundings: Surroundings
    ) async throws -> End {
        if let dump {
            if let fleet {
                try await FleetFrame(dump: dump, look: look, fleet: fleet.settings, fits: place == nil).print(
                    center: view.center, zoom: view.zoom, client: fleet.client, map: map, ground, in: surroundings)
            } else {
                try await printFrame(view, map: map, ground, dump, in: surroundings)
            }
            return (.success, nil)
        }
        let screen: TerminalScreen
        do throws(TerminalScreenError) {
            screen = try look.open(in: surroundings)
        } catch {
            throw Failure(message: "\(error) Use --dump to print one frame.", exitCode: ExitCodes.failed)
        }
        return await show(view, map: map, ground, fleet, on: screen, in: surroundings)
    }

    private func view(of map: BaseMapSupply, _ ground: GroundOverlay?, size: Size) async throws -> View {
        switch place {
        case nil: return Self.firstLook(map, ground, size: size)
        case .coordinate(let center, let zoom?): return View(center: center, zoom: zoom)
        case .coordinate(let center, nil): return View(center: center, zoom: min(14, Double(map.details?.zoomRange.upperBound ?? 14)))
        case .name(let name):
            let near = map.details?.center ?? map.details?.bounds?.center ?? Coordinate(latitude: 0, longitude: 0)
            guard let source = map.tiles else {
                throw Failure(
                    message: "'\(printable(name))' cannot be found without a base map: set --basemap.", exitCode: ExitCodes.failed)
            }
            let names = await PlaceIndex.load(from: source, near: near)
            guard let found = names.search(name, near: near, limit: 1).first else {
                let words =
                    map.host == nil
                    ? "no place near \(near.typed) on this map is called '\(printable(name))': check the spelling, or give LAT,LNG."
                    : "no place in the cached map tiles is called '\(printable(name))', and names are looked up only there: give LAT,LNG."
                throw Failure(message: words, exitCode: ExitCodes.failed)
            }
            return View(center: found.coordinate, zoom: found.kind == .place ? 14 : found.zoom)
        }
    }

    @MainActor
    private func show(
        _ view: View, map: BaseMapSupply, _ ground: GroundOverlay?, _ fleet: (client: any FleetClient, settings: FleetSettings)?,
        on screen: TerminalScreen, in surroundings: Surroundings
    ) async -> End {
        var options = look.appOptions(screen: screen, in: surroundings)
        options.mode = .map
        options.center = view.center
        options.zoom = view.zoom
        options.ground = ground
        (options.showsFleet, options.fitsFleet) = (fleet != nil, place == nil)
        options.expectsBaseMap = map.tiles != nil
        options.mapHost = map.host
        options.booking = look.isReadOnly ? .readOnly : provider == nil ? .noProvider : .available
        // A place that was given by name is on this map already, so the user is not asked about another map.
        let question = if case .coordinate = place { look.mapQuestion(in: surroundings) } else { MapQuestion?.none }
        options.asksForMap = question != nil
        let themes = look.themes(screen: screen, in: surroundings)
        options.theme = themes.theme
        let time = surroundings.clock(1)
        let state = AppState(trips: [], options: options, size: screen.size, now: time.now())
        var world = ScreenRunner.World(tiles: map.tiles, mapQuestion: question, time: time)
        world.ownPosition = look.ownPosition(time)
        world.fleet = fleet.map { FleetFeed(client: $0.client, settings: $0.settings) }
        world.book = provider?.booker
        let runner = ScreenRunner(screen: screen, state: state, themes: themes, world: world)
        let end = await runner.run()
        let booked = runner.booked.map { BookedRide(booking: $0.booking, dropoff: $0.ride.dropoff, bookedAt: time.now()) }
        let held = await screen.close()
        if !held.isEmpty { surroundings.streams.say(held) }
        themes.tellMessages()
        if let words = runner.state.unclearBookingWords { surroundings.streams.say("tripwatch: \(words)") }
        return (end, booked)
    }

    @MainActor
    private func printFrame(
        _ view: View, map: BaseMapSupply, _ ground: GroundOverlay?, _ dump: DumpSettings, in surroundings: Surroundings
    ) async throws(Failure) {
        let frame = FrameDump(dump, look: look, in: surroundings)
        let camera = Camera(center: view.center, zoom: view.zoom, size: frame.size)
        let tiles = MapFrameTiles(map, camera: camera, surroundings: surroundings)
        await tiles.load()
        if let why = tiles.whyNoMap {
            throw Failure(message: "the address of the base map cannot be used: \(why).", exitCode: ExitCodes.failed)
        }
        tiles.tellTrouble()
        frame.print(tiles.base, ground, camera: camera, note: tiles.note)
    }

    /// Returns the initial view, which shows all overlays. Without overlays, returns the one of two views that shows a smaller area: the
    /// map file's whole area, or the view that the file suggests. Without a map file, returns a view of the world.
    private static func firstLook(_ map: BaseMapSupply, _ ground: GroundOverlay?, size: Size) -> View {
        if let box = ground?.boundingBox {
            let camera = Camera(center: box.center, zoom: 1, size: size).fitted(to: box, margins: Camera.Margins(all: 2), maximumZoom: 17)
            return View(center: camera.center, zoom: camera.zoom)
        }
        guard let details = map.details else { return View(center: Coordinate(latitude: 20, longitude: 0), zoom: 2) }
        let told = View(
            center: details.center ?? details.bounds?.center ?? Coordinate(latitude: 20, longitude: 0),
            zoom: Double(details.centerZoom ?? details.zoomRange.lowerBound))
        guard let bounds = details.bounds else { return told }
        let whole = Camera(center: bounds.center, zoom: 1, size: size).fitted(to: bounds, maximumZoom: 15, zoomStep: 0.5)
        return whole.zoom > told.zoom ? View(center: bounds.center, zoom: whole.zoom) : told
    }
}
