package import FleetEngine
import FoundationEssentials
import HTTPServing
package import ProgramSurroundings
package import ProviderBackend
import TerminalCanvas
import TripWatchRuntime
package import TripWatchWords

/// Sets up a phone as a car, and waits for its first position.
package struct PhoneRun: Sendable {
    /// The kinds of output of the command.
    package enum Style: Sendable {
        /// The QR code, the link and the complete addresses.
        case code
        /// The link alone.
        case plain
        /// All links as one JSON object. The command does not wait for a position.
        case json
    }

    package var vehicle: String
    package var app: PhoneLinks.App
    package var style: Style
    package var provider: ProviderBackendClient
    /// The provider's address as the user gave it.
    package var providerURL: String
    /// Lifetime of the key, in seconds; nil for a key that does not expire.
    package var keySeconds: Int?
    /// Details by which riders recognise the car.
    package var identity = VehicleIdentity()

    package init(
        vehicle: String, app: PhoneLinks.App, style: Style, provider: ProviderBackendClient, providerURL: String, keySeconds: Int? = nil
    ) {
        self.keySeconds = keySeconds
        self.vehicle = vehicle
        self.app = app
        self.style = style
        self.provider = provider
        self.providerURL = providerURL
    }

    package func perform(in surroundings: Surroundings) async throws -> ProgramEnd {
        Secrets.protectMemory()
        let (before, booked) = try await book()
        let base = booked.publicURL ?? (providerURL.hasSuffix("/") ? String(providerURL.dropLast()) : providerURL)
        let links = PhoneLinks(base: base, vehicle: vehicle, key: booked.key, keyEnd: booked.end)
        warnOfLoopback(base, in: surroundings)
        if booked.endsOlderKey {
            surroundings.streams.say(
                "tripwatch: the previous key of \(printable(vehicle)) no longer works. The app that used it must be set up again.")
        }
        let waitingCode = show(links, in: surroundings)
        if style == .json { return .success }
        if style == .plain { sayThatItWaits(surroundings.streams) }
        let position = try await firstPosition(since: before, waitingCode, in: surroundings)
        surroundings.streams.print(words(position, now: surroundings.clock(1).now()))
        return .success
    }

    private func book() async throws(Failure) -> (before: CarPosition?, booked: CarKey) {
        let before: CarPosition?
        let booked: CarKey
        do throws(ProviderBackendError) {
            before = try await provider.carReport(vehicle).position
            booked = try await provider.bookCar(vehicle, lifeSeconds: keySeconds, identity: identity)
        } catch {
            throw error.failure("Not set up", keyOption: "--desk-key-file")
        }
        guard keySeconds == nil || booked.end != nil else {
            throw Failure(
                message:
                    "The key of \(printable(vehicle)) does not expire, because this server is too old: update the server, then run this command again.",
                exitCode: ExitCodes.failed)
        }
        return (before, booked)
    }

    /// Warns about a loopback address. On a phone, a loopback address means the phone itself.
    private func warnOfLoopback(_ base: String, in surroundings: Surroundings) {
        guard let host = URL(string: base)?.host(), LoopbackHost.contains(host) else { return }
        let others = HostAccess.outsideAddresses().joined(separator: ", ")
        let here = others.isEmpty ? "" : " This machine's addresses: \(others)."
        surroundings.streams.say(
            "tripwatch: \(printable(host)) is a loopback address, which no phone can reach. "
                + "Start 'tripwatch serve' with --public-url URL. Or start it with --listen ADDRESS, and run 'tripwatch phone' with that "
                + "address in --provider-url.\(here)")
    }

    /// Prints the links.
    /// - Returns: a QR code that was not printed, because the window is too small; otherwise nil.
    private func show(_ links: PhoneLinks, in surroundings: Surroundings) -> QRCode? {
        let streams = surroundings.streams
        switch style {
        case .json: streams.print(links.json)
        case .plain: streams.print(links.link(app))
        case .code:
            streams.print("osmand: \(links.osmand)")
            streams.print("gpslogger: \(links.gpslogger)")
            streams.print("\(app.rawValue): \(links.link(app))")
            for line in app.instructions { streams.note(line) }
            sayThatItWaits(streams)
            return showCode(links.link(app), in: surroundings)
        }
        return nil
    }

    private func sayThatItWaits(_ streams: StandardStreams) {
        streams.note("waiting for the first position of \(printable(vehicle))")
    }

    /// Prints the QR code of a link, or the reason why it is not shown.
    /// - Returns: a code that was not printed, because the window is too small; otherwise nil.
    private func showCode(_ link: String, in surroundings: Surroundings) -> QRCode? {
        let streams = surroundings.streams
        guard let code = surroundings.locale.isUTF8 ? QRCode(link) : nil else {
            let why = surroundings.locale.isUTF8 ? "the link is too long" : "the locale is not UTF-8"
            streams.say("tripwatch: no QR code is shown, because \(why). Open the link on the phone.")
            return nil
        }
        if print(code, in: surroundings) { return nil }
        let size = streams.outputSize.map { "; this window has \($0.columns) columns and \($0.rows) rows" } ?? ""
        streams.say(
            "tripwatch: the QR code needs \(code.columns) columns and \(code.rows + 1) rows\(size). Make the window larger to see it, or "
                + "open the link on the phone.")
        return code
    }

    /// Prints a code, unless the window is known to be too narrow or too low. If it is too low, the code's top, and the lines above it,
    /// would scroll out of the window.
    /// - Returns: whether the code was printed.
    private func print(_ code: QRCode, in surroundings: Surroundings) -> Bool {
        let streams = surroundings.streams
        // The cursor needs a row below the code.
        if let size = streams.outputSize, size.columns < code.columns || size.rows <= code.rows { return false }
        for line in code.lines(inColour: streams.isOutputTerminal && !surroundings.wantsNoColor) { streams.print(line) }
        return true
    }

    /// Waits for the first position whose time differs from that of `before`.
    /// - Parameter waitingCode: a code to print as soon as the window is large enough; nil for none.
    private func firstPosition(
        since before: CarPosition?, _ waitingCode: QRCode?, in surroundings: Surroundings
    ) async throws -> CarPosition {
        let time = surroundings.clock(1)
        var waitingCode = waitingCode
        var isAnswered = true
        var isClockTold = false
        while true {
            if let code = waitingCode, print(code, in: surroundings) { waitingCode = nil }
            do throws(ProviderBackendError) {
                let report = try await provider.carReport(vehicle)
                if !isAnswered { surroundings.streams.note("tripwatch: the provider API answers again.") }
                isAnswered = true
                if let position = report.position, position.time != before?.time { return position }
                if let ahead = report.clockAheadSeconds, !isClockTold { surroundings.streams.say(clockWords(ahead)) }
                isClockTold = report.clockAheadSeconds != nil
            } catch {
                guard error.isOutcomeUnknown || error.kind == .unreachable else {
                    throw error.failure("No position", keyOption: "--desk-key-file")
                }
                if isAnswered { surroundings.streams.say("tripwatch: \(error). Trying again every second.") }
                isAnswered = false
            }
            try await time.sleep(until: time.now().addingTimeInterval(1))
        }
    }

    private func clockWords(_ aheadSeconds: Int) -> String {
        let seconds = aheadSeconds.magnitude
        let spans: [(unit: UInt, name: String)] = [(365 * 86_400, "years"), (86_400, "days"), (3_600, "h"), (60, "min")]
        let amount = spans.first { seconds >= 2 * $0.unit }.map { "\(seconds / $0.unit) \($0.name)" } ?? "\(seconds) s"
        return "tripwatch: the clock of the phone in \(printable(vehicle)) is \(amount) \(aheadSeconds < 0 ? "behind" : "ahead"), so its "
            + "positions are ignored. Turn on automatic date and time on the phone."
    }

    private func words(_ position: CarPosition, now: Date) -> String {
        let age = TripWords.age(max(0, now.timeIntervalSince(position.time)))
        let accuracy = position.accuracyMeters.map { ", accurate to \(Int(min($0, 100_000).rounded(.up))) m" } ?? ""
        return "first position of \(printable(vehicle)), \(age) old\(accuracy)"
    }
}
