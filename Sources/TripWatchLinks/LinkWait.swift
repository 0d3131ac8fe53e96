import FleetEngine
import ProgramSurroundings
import TerminalCanvas
import TerminalScreen
import TripWatchSharing
import TripWatchWords

/// Waits until the trip or shipment of a link is known. On a terminal, a screen shows the reason for the wait and handles keys.
@MainActor
final class LinkWait {
    /// The result of the wait.
    enum Outcome {
        case trip(TripName)
        case shipment(TaskTrackingName)
        /// The user has quit, or a signal ends the process.
        case left(ProgramEnd)
    }

    private enum Input: Sendable {
        case first(LinkClient.First)
        case screen(ScreenEvent)
        case patienceOver
    }

    /// Delay before the screen opens. Most servers answer sooner, and then no screen appears.
    private static let patience = Duration.milliseconds(300)

    private let client: LinkClient
    private let host: String
    private let keepsTrying: Bool
    private let streams: StandardStreams
    /// The options of the screen; nil to write lines instead.
    private let options: TerminalScreen.Options?
    private var screen: TerminalScreen?
    private var reading: Task<Void, Never>?
    /// The reason why the trip or shipment is not known yet; nil before the first failure.
    private var trouble: String?

    /// - Parameter options: the options of the screen; nil to write lines instead.
    init(_ client: LinkClient, host: String, keepsTrying: Bool, streams: StandardStreams, options: TerminalScreen.Options?) {
        self.client = client
        self.host = printable(host)
        self.keepsTrying = keepsTrying
        self.streams = streams
        self.options = options
    }

    /// Waits until the trip or shipment is known, or the user quits.
    /// - Throws: `Failure` if the link does not exist. Two more cases throw `Failure` if `keepsTrying` is false: the server's certificate
    ///   is not accepted, or an answer has no events.
    func run() async throws -> Outcome {
        let (inputs, input) = AsyncStream.makeStream(of: Input.self)
        let hearing = Task { [client] in for await first in client.firsts { input.yield(.first(first)) } }
        let patience =
            options == nil ? nil : Task { if (try? await Task.sleep(for: Self.patience)) != nil { input.yield(.patienceOver) } }
        defer {
            hearing.cancel()
            patience?.cancel()
        }
        do {
            let outcome = try await outcome(inputs, input)
            await close()
            return outcome
        } catch {
            await close()
            throw error
        }
    }

    private func outcome(_ inputs: AsyncStream<Input>, _ input: AsyncStream<Input>.Continuation) async throws -> Outcome {
        for await next in inputs {
            switch next {
            case .first(.trip(let name)): return .trip(name)
            case .first(.shipment(let name)): return .shipment(name)
            case .first(.noLink): throw Failure(message: LinkPage.noLink, exitCode: ExitCodes.noSuchTrip)
            case .first(.noEvents(let status)) where !keepsTrying:
                throw Failure(message: noEvents(status), exitCode: ExitCodes.failed)
            case .first(.noEvents(let status)): tell(noEvents(status))
            case .first(.trouble(let error)) where error.origin == .tls && !keepsTrying:
                throw Failure(message: notTrusted(error), exitCode: ExitCodes.failed)
            case .first(.trouble(let error)):
                tell(error.origin == .tls ? notTrusted(error) : "\(host): \(FailureWords(error, .retryable).sentence)")
            case .patienceOver: open(input)
            case .screen(let event): if let end = end(event) { return .left(end) }
            }
        }
        throw CancellationError()
    }

    private func noEvents(_ status: Int?) -> String {
        let answer = "\(host) answers, but not with a trip or shipment\(status.map { " (HTTP \($0))" } ?? "")."
        return answer + " Check the link. If this network has a sign-in page, sign in first."
    }

    private func notTrusted(_ error: FleetEngineError) -> String {
        "\(host): \(FailureWords(error, error.errorClass()).statement) Check the link and --ca."
    }

    private func tell(_ words: String) {
        let isFirst = trouble == nil
        trouble = words
        if options == nil {
            if isFirst { say(words) }
        } else {
            draw()
        }
    }

    private func say(_ words: String) { streams.say("tripwatch: \(words) Trying again.") }

    // MARK: The screen

    private func open(_ input: AsyncStream<Input>.Continuation) {
        guard let options else { return }
        guard let screen = try? TerminalScreen.open(options: options) else {
            // The failure to open the screen is not reported here: after the wait, the program opens the screen of the trip or shipment,
            // and reports the same failure then. Only the reason for the wait is reported here, because no screen shows it.
            if let trouble { say(trouble) }
            return
        }
        self.screen = screen
        reading = Task { for await event in screen.events { input.yield(.screen(event)) } }
        draw()
    }

    private func draw() {
        guard let screen else { return }
        let size = screen.size
        var canvas = Canvas(size: size)
        let words = trouble.map { "\($0) Trying again." } ?? "Waiting for \(host)."
        for (row, line) in wrapped(words, columns: max(1, size.columns - 2), maximumLines: max(1, size.rows - 2)).enumerated() {
            _ = canvas.write(line, column: min(1, size.columns - 1), row: row, style: Style())
        }
        _ = canvas.write("q  quit", column: min(1, size.columns - 1), row: size.rows - 1, style: Style())
        screen.present(canvas)
    }

    /// Returns how an event ends the program; nil to continue.
    private func end(_ event: ScreenEvent) -> ProgramEnd? {
        switch event {
        case .key(let key) where key == .character("q") || key == .control("c"): return .success
        case .key(let key) where key == .control("z"): screen?.suspend()
        case .key(let key) where key == .control("l"): screen?.redraw()
        case .signal(let number): return .signal(number)
        case .closed: return .signal(1)
        case .resize, .resumed: draw()
        case .key, .mouse, .focus, .background, .paste: break
        }
        return nil
    }

    private func close() async {
        guard let screen else { return }
        reading?.cancel()
        let held = await screen.close()
        if !held.isEmpty { streams.say(held) }
        self.screen = nil
    }
}
