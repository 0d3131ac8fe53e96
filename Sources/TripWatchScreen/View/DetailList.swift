import ConsumerMap
import FleetEngine
import FoundationEssentials
import JourneySharing
import TerminalCanvas
import TerminalMap
import TripWatchSettings
import TripWatchWords

/// Facts about the connection, for the details and for a driver's wide screen.
struct DetailList {
    /// The short list of facts, for a driver's wide screen.
    private(set) var short: [(String, String)] = []
    private(set) var all: [(String, String)] = []

    init(_ state: AppState) {
        if let drive = state.drive { (short, all) = Self.driver(drive, state) }
        if let page = state.page { tell(page, state) }
        if let shipment = state.shipment { all = state.details(of: shipment) }
        if let detail = state.mapDetail { all.append(("tiles", detail)) }
        if let detail = state.enlargementDetail { all.append(("zoom", detail)) }
        if let page = state.page, let failure = page.failure { tell(failure, page, state) }
        if let page = state.shipment, let failure = page.failure { tell(failure, page, state) }
    }

    private mutating func tell(_ page: TripPage, _ state: AppState) {
        let age = page.journey.ageSeconds(now: state.now)
        let position = age.map { ", position \(TripWords.age($0)) ago" } ?? ""
        all =
            [
                ("trip", page.name.description), Self.source(page, state),
                ("updates", Self.pace(page, isOver: page.status.isFinal, seconds: page.journey.pollIntervalSeconds) + position),
            ]
            + (page.recording.map { [("record", "\($0.name), \($0.size)")] } ?? []) + Self.look(state)
        if let trip = page.trip { all.append(("status", trip.status.name)) }
        if let id = page.trip?.vehicleID { all.append(("vehicle", id)) }
        if let speed = page.trip?.lastLocation?.speedMetersPerSecond { all.append(("speed", Self.speed(speed, state))) }
        if let answer = page.journey.lastAnswerAt { all.append(("answer", state.clock(page.clockTime(answer), withSeconds: true))) }
    }

    private mutating func tell(_ failure: PollFailure, _ page: some PolledPage, _ state: AppState) {
        all.append(("error", "\(failure.error.code.name)\(Self.number(failure.error)), origin: \(Self.words(failure.error.origin))"))
        all.append(("class", failure.errorClass.name + (failure.actionWord.map { ", \($0)" } ?? "")))
        let next = page.retrySeconds(now: state.now).map { ", next in \(TripWords.countdown($0))" } ?? ""
        all.append(("attempt", "\(failure.attempt)\(next)"))
        if let id = failure.error.requestID { all.append(("request", id)) }
    }

    /// Returns the measured values as the details panel shows them.
    static func measured(_ page: TripPage, _ state: AppState) -> [String] {
        [source(page, state).1] + (page.recording.map { [$0.name, $0.size] } ?? [])
    }

    /// Returns the source of the trip's data, and the duration of the last request.
    private static func source(_ page: TripPage, _ state: AppState) -> (String, String) {
        if state.isReplay { return ("file", state.options.recordingName) }
        guard let seconds = page.roundTripSeconds, seconds.isFinite else { return ("server", server(state)) }
        return ("server", "\(server(state))  \(max(1, (seconds * 1_000).rounded().clamped(to: 0...1_000_000))) ms")
    }

    /// Returns how often the page is updated, or else `ended` or `failing`. After a failure, the panel shows the time until the next
    /// request beside the number of the attempt.
    static func pace(_ page: some PolledPage, isOver: Bool, seconds: Double) -> String {
        isOver ? "ended" : page.failure == nil ? "every \(TripWords.span(seconds))" : "failing"
    }

    static func server(_ state: AppState) -> String { state.options.endpoint.isEmpty ? "–" : state.options.endpoint }

    static func look(_ state: AppState) -> [(String, String)] {
        let map = state.map
        return [
            ("map", "\(map.isAllowCameraAutoUpdate ? "following" : "not following"), zoom \(map.camera.zoom.fixed(decimals: 1))"),
            ("drawn", "\(state.painter.rawValue), \(state.colorDepth.words)"),
        ] + (state.themeName.isEmpty ? [] : [("theme", state.themeName)])
    }

    /// Status number of an error, in parentheses; empty if the error is not from the server.
    static func number(_ error: FleetEngineError) -> String {
        guard error.origin == .server else { return "" }
        return error.httpStatus.map { " (HTTP \($0))" } ?? " (gRPC \(error.code.rawValue))"
    }

    static func words(_ origin: FleetEngineError.Origin) -> String {
        switch origin {
        case .server: "server"
        case .network: "network"
        case .tls: "TLS"
        case .tokenSource: "token source"
        case .local: "this program"
        }
    }

    static func speed(_ metersPerSecond: Double, _ state: AppState) -> String {
        guard metersPerSecond.isFinite else { return "–" }
        return state.measurementSystem == .metric
            ? "\((metersPerSecond * 3.6).fixed(decimals: 0)) km/h" : "\((metersPerSecond * 2.236_936).fixed(decimals: 0)) mph"
    }
}

extension ColorDepth {
    /// Number of colours, in words.
    var words: String {
        switch self {
        case .none: "no colours"
        case .ansi8: "8 colours"
        case .ansi16: "16 colours"
        case .palette256: "256 colours"
        case .direct: "all colours"
        }
    }
}
