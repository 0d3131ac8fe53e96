import FleetEngine
import FoundationEssentials
package import ProgramSurroundings
package import TripWatchRuntime
import TripWatchScreen
import TripWatchSettings
import TripWatchWords
import VectorTiles

/// The address of a link.
package struct LinkAddress: Hashable, Sendable {
    /// The link, without a subpath or punctuation after it.
    package let text: String
    /// Host and port, for display.
    package let host: String

    /// Returns nil if the text is not a link such as `https://rides.example/s/SECRET`. The link may be followed by a subpath or
    /// punctuation.
    package init?(_ text: String) {
        guard text.utf8.count <= 2_048, let url = URL(string: text), ["http", "https"].contains(url.scheme?.lowercased()),
            let host = url.host(), !host.isEmpty, url.user() == nil, let start = text.ranges(of: "/s/").last
        else { return nil }
        let secret = text[start.upperBound...].prefix {
            $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-" || $0 == "_")
        }
        guard !secret.isEmpty else { return nil }
        self.text = String(text[..<start.upperBound] + secret)
        self.host = host + (url.port.map { ":\($0)" } ?? "")
    }

    var events: String { text + "/events" }

    /// Whether a text begins like a web address, so that it cannot be the name of a trip.
    package static func isWebAddress(_ text: String) -> Bool {
        ["http://", "https://"].contains { text.lowercased().hasPrefix($0) }
    }
}

/// Follows the trip or shipment of a link. No token is needed.
package struct FollowLinkRun: Sendable {
    /// Time between two checks for received events, in seconds. A check sends no request.
    private static let interval = 1.0
    /// The time within which all events of one answer arrive.
    private static let answerSpan = Duration.milliseconds(100)

    package let address: LinkAddress
    package var caFile: String?
    package var output: OutputSettings
    package var look: ScreenSettings
    package var keepsTrying: Bool
    /// Hooks for the trip's events.
    package var hooks: HookSettings?

    package init(address: LinkAddress, caFile: String?, output: OutputSettings, look: ScreenSettings, keepsTrying: Bool) {
        self.address = address
        self.caFile = caFile
        self.output = output
        self.look = look
        self.keepsTrying = keepsTrying
    }

    package func perform(in surroundings: Surroundings) async throws -> ProgramEnd {
        Secrets.protectMemory()
        let wantsScreen = output.wantsScreen(in: surroundings)
        let ground = wantsScreen ? try look.overlay.open(in: surroundings) : nil
        let map = wantsScreen ? try look.map.open(standard: .none, in: surroundings) : BaseMapSupply()
        let client = LinkClient(address, caFile: caFile, time: surroundings.clock(1))
        let reading = Task { await client.run() }
        defer { reading.cancel() }
        let wait = await LinkWait(
            client, host: address.host, keepsTrying: keepsTrying, streams: surroundings.streams,
            options: wantsScreen ? look.optionsWhileWaiting : nil)
        switch try await wait.run() {
        case .left(let end): return end
        case .trip(let name): return try await follow(name, client, map, wantsScreen, in: surroundings) { $0.ground = ground }
        case .shipment(let name): return try await follow(name, client, map, in: surroundings) { $0.ground = ground }
        }
    }

    @MainActor
    private func follow(
        _ name: TaskTrackingName, _ client: LinkClient, _ map: BaseMapSupply, in surroundings: Surroundings,
        prepare: @escaping (inout AppOptions) -> Void
    ) async throws -> ProgramEnd {
        if let hooks {
            guard hooks.isConfigured else {
                throw Failure(
                    message: "hooks work with links to trips, not to shipments: remove --hook and --on-event.", exitCode: ExitCodes.usage)
            }
            surroundings.streams.note("tripwatch: the configuration's hooks do not run, because the link is to a shipment.")
        }
        var follower = follower([], client, map, in: surroundings) {
            prepare(&$0)
            $0.title = $0.title ?? client.shipmentTitle
            $0.noLinkReason = "You are following this shipment through a link; share that link."
        }
        follower.add(name, asking: client, at: address.host, tape: nil)
        // While the link shares nothing that changes quickly, the model polls only every 30 s. A poll after each event shows changes
        // sooner.
        let refreshing = Task { [follower] in
            for await _ in client.shipmentChanges {
                try? await Task.sleep(for: Self.answerSpan)
                follower.refreshShipments()
            }
        }
        defer { refreshing.cancel() }
        return try await follower.run()
    }

    @MainActor
    private func follow(
        _ name: TripName, _ client: LinkClient, _ map: BaseMapSupply, _ wantsScreen: Bool, in surroundings: Surroundings,
        prepare: @escaping (inout AppOptions) -> Void
    ) async throws -> ProgramEnd {
        var follower = follower([name], client, map, in: surroundings) {
            prepare(&$0)
            $0.noLinkReason = "You are following this trip through a link; share that link."
            $0.cancelling = .unavailable("A link only shows a trip; it cannot cancel the trip.")
        }
        follower.isViewer = true
        follower.refreshes = client.serverReturns
        let helpers = hooks?.runsCommands == true && !wantsScreen ? HelperGuard() : nil
        defer { withExtendedLifetime(helpers) {} }
        follower.hooks = try hooks.map { try HookFeed($0, time: surroundings.clock(1), in: surroundings) }
        return try await follower.run()
    }

    @MainActor
    private func follower(
        _ names: [TripName], _ client: LinkClient, _ map: BaseMapSupply, in surroundings: Surroundings,
        prepare: @escaping (inout AppOptions) -> Void
    ) -> TripFollower {
        var follower = TripFollower(
            names: names, client: client, time: surroundings.clock(1), speed: 1, interval: Self.interval, output: output, look: look,
            surroundings: surroundings)
        follower.keepsTrying = keepsTrying
        follower.map = map
        follower.mapQuestion = look.mapQuestion(in: surroundings)
        follower.prepare = { [host = address.host] in
            $0.endpoint = host
            $0.mapBounds = map.details?.bounds
            prepare(&$0)
        }
        return follower
    }
}
