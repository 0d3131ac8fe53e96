import CTerminal
import Glibc
import TerminalCanvas

/// The screen's thread. Only this thread calls ncurses and reads and writes the terminal. It sleeps in poll(2) until there is work.
final class ScreenLoop {
    private let mailbox: ScreenMailbox
    private let lifeCycle: TerminalLifeCycle
    private let renderer: CanvasRenderer
    private let options: TerminalScreen.Options
    let profile: TerminalProfile
    private var decoder: InputDecoder
    private var output = OutputQueue()
    /// The events of keys that were typed while the loop waited for the terminal's answers.
    private var early: [ScreenEvent] = []
    /// The time after which late answers are no longer expected.
    private var answerDeadline: ContinuousClock.Instant?
    private var frames = 0

    /// The newest canvas, not yet drawn.
    private var nextCanvas: Canvas?
    /// The last drawn canvas. It is drawn again after another program has used the screen.
    private var lastCanvas: Canvas?
    private var title = ""
    private var nextTitle: String?
    /// The number of consecutive presses of Ctrl-C.
    private var interrupts = 0
    /// The time at which the decoder's unfinished sequence expires.
    private var inputDeadline: ContinuousClock.Instant?
    private var isAskedToEnd = false
    /// The signal that asked the program to end, and the time at which this signal kills the program.
    private var ending: (deadline: ContinuousClock.Instant, signal: Int32)?
    /// The time at which the process stops itself again after it was resumed in the background.
    private var stopDeadline: ContinuousClock.Instant?
    /// Whether the terminal is gone.
    private var isGone = false
    private var isFinished = false

    /// Opens the terminal and enters the screen. Must run on the thread that calls ``run()``.
    init(options: TerminalScreen.Options, mailbox: ScreenMailbox) throws(TerminalScreenError) {
        self.options = options
        self.mailbox = mailbox
        let environment = TerminalEnvironment.current()
        guard let type = options.terminalType ?? environment["TERM"] else { throw .terminalTypeMissing }
        lifeCycle = try TerminalLifeCycle(options: options, wake: mailbox.wake)
        do {
            let isUTF8 = cterminal_set_locale(options.forceUTF8)
            profile = try TerminalProfile.open(type: type, depth: options.colorDepth, isUTF8: isUTF8, environment: environment)
        } catch {
            _ = lifeCycle.end()
            throw error
        }
        let size = lifeCycle.size ?? environment.size
        renderer = CanvasRenderer(profile: profile, size: size)
        decoder = InputDecoder(keys: KeyTable(sequence: TerminalLifeCycle.string), mouse: options.mouse, size: size)
        lifeCycle.prepare(profile: profile, options: options, size: size)
        mailbox.setSize(size)
        if profile.asks(options) { ask() }
        guard lifeCycle.enter() else {
            _ = lifeCycle.end()
            throw .notATerminal
        }
    }

    /// The tone of the terminal's background; nil if it is not known.
    var background: BackgroundTone? { decoder.answers?.tone }

    private func ask() {
        decoder.answers = TerminalAnswers()
        decoder.awaitsAnswers = true
        lifeCycle.ask(TerminalQuestion.bytes, within: TerminalQuestion.patience) { bytes in
            decoder.decode(bytes, into: &early)
            return decoder.answers?.isComplete == true
        }
        if decoder.awaitsAnswers { answerDeadline = .now + TerminalQuestion.latePatience }
        // From now on, reports of dark or light mode are changes, not answers.
        decoder.answers?.isComplete = true
        inputDeadline = decoder.patience.map { .now + $0 }
    }

    /// Runs until the screen is closed.
    func run() {
        tell(early)
        early = []
        while !isFinished {
            wait()
            handleSignals()
            handleDelivery()
            if canUseTerminal { readInput() }
            checkDeadlines()
            if canUseTerminal, !isFinished { draw() }
            lifeCycle.limitHeldError()
        }
        mailbox.finish(heldError: lifeCycle.end(isLast: decoder.awaitsAnswers && !isGone ? isLastAnswer : nil))
    }

    private func isLastAnswer(_ bytes: ArraySlice<UInt8>) -> Bool {
        var events: [ScreenEvent] = []
        decoder.decode(bytes, into: &events)
        return !decoder.awaitsAnswers
    }

    private var canUseTerminal: Bool { !isGone && lifeCycle.state == .entered }

    // MARK: Waiting

    private func wait() {
        var interest = Int16(POLLIN)
        if !output.isEmpty { interest |= Int16(POLLOUT) }
        var descriptors = [
            pollfd(fd: mailbox.wake, events: Int16(POLLIN), revents: 0),
            // poll ignores a negative descriptor. A terminal that is gone or belongs to the shell would end every wait at once.
            pollfd(fd: canUseTerminal ? lifeCycle.terminal : -1, events: interest, revents: 0),
        ]
        poll(&descriptors, nfds_t(descriptors.count), timeout())
        // The eventfd is drained before new work is collected, so that work that arrives later ends the next wait.
        cterminal_drain(mailbox.wake)
    }

    /// Returns the time until the next deadline, in milliseconds; −1 if there is no deadline.
    private func timeout() -> Int32 {
        guard let deadline = [inputDeadline, answerDeadline, stopDeadline, ending?.deadline].compactMap({ $0 }).min() else { return -1 }
        let left = (deadline - .now).components
        let milliseconds = left.seconds * 1_000 + left.attoseconds / 1_000_000_000_000_000 + 1
        return Int32(clamping: max(0, milliseconds))
    }

    private func checkDeadlines() {
        let now = ContinuousClock.now
        if let deadline = inputDeadline, deadline <= now {
            inputDeadline = nil
            var events: [ScreenEvent] = []
            decoder.expire(into: &events)
            tell(events)
        }
        if let deadline = answerDeadline, deadline <= now {
            answerDeadline = nil
            decoder.awaitsAnswers = false
        }
        if let deadline = stopDeadline, deadline <= now { stopInBackground() }
        if let ending, ending.deadline <= now { lifeCycle.die(bySignal: ending.signal) }
    }

    // MARK: Signals

    private func handleSignals() {
        let signals = cterminal_take_signals()
        guard signals != 0 else { return }
        func came(_ number: Int32) -> Bool { signals & 1 << UInt64(number) != 0 }
        for number in [SIGINT, SIGTERM, SIGHUP, SIGQUIT] where came(number) {
            mailbox.tell(.signal(number))
            expectEnd(by: number)
        }
        if came(SIGCONT) { resume() }
        if came(SIGTSTP) { suspend() }
        if came(SIGWINCH), canUseTerminal { resize() }
    }

    private func expectEnd(by number: Int32) {
        isAskedToEnd = true
        guard ending == nil, let grace = options.terminationGrace else { return }
        ending = (.now + grace, number)
    }

    private func suspend() {
        guard lifeCycle.state == .entered, !isGone else { return }
        if lifeCycle.suspend() {
            output.removeAll()
        } else {
            output.append(ControlStrings.bell)
        }
    }

    /// The time from SIGCONT until the process stops itself again in the background. To terminate a stopped job, a shell sends a second
    /// signal, which must arrive within this time.
    private static let backgroundPatience = Duration.milliseconds(50)

    /// Handles SIGCONT. In the foreground, the program takes over the screen again. In the background, the process stops again,
    /// because a shell that moves a job to the foreground sends a signal only if the job is stopped.
    private func resume() {
        guard !isGone else { return }
        guard lifeCycle.isForeground else {
            lifeCycle.abandon()
            stopDeadline = .now + Self.backgroundPatience
            return
        }
        stopDeadline = nil
        claimScreen()
    }

    private func stopInBackground() {
        stopDeadline = nil
        // A process that is about to end must not be stopped.
        guard !isAskedToEnd, !isFinished else { return }
        if lifeCycle.isForeground { claimScreen() } else { lifeCycle.stopInBackground() }
    }

    private func claimScreen() {
        guard lifeCycle.resume() else { return }
        output.removeAll()
        renderer.invalidate()
        nextCanvas = nextCanvas ?? lastCanvas
        // Leaving the screen has restored the old title.
        nextTitle = nextTitle ?? title
        title = ""
        mailbox.tell(.resumed)
        if !resize() { mailbox.tell(.resize(renderer.size)) }
    }

    /// Adopts the terminal's size. If the size has changed, reports it and returns true.
    @discardableResult
    private func resize() -> Bool {
        guard let size = lifeCycle.size, size != renderer.size else { return false }
        renderer.resize(to: size)
        decoder.size = size
        lifeCycle.prepare(profile: profile, options: options, size: size)
        mailbox.setSize(size)
        mailbox.tell(.resize(size))
        return true
    }

    /// Handles the loss of the terminal. From now on, reads and writes fail at once, so the loop does not wait for the terminal any more.
    private func terminalIsGone() {
        guard !isGone else { return }
        isGone = true
        inputDeadline = nil
        output.removeAll()
        mailbox.tell(.closed)
        expectEnd(by: SIGHUP)
    }
}

// MARK: - Input

extension ScreenLoop {
    private func readInput() {
        var buffer = [UInt8](repeating: 0, count: 4_096)
        // The number of reads is limited, so that a flood of input does not block all other work.
        for _ in 0..<16 where canUseTerminal {
            let count = read(lifeCycle.terminal, &buffer, buffer.count)
            if count > 0 {
                decode(buffer[..<count])
                if count < buffer.count { return }
            } else if count < 0, errno == EAGAIN || errno == EINTR {
                return
            } else {
                terminalIsGone()
                return
            }
        }
    }

    private func decode(_ bytes: ArraySlice<UInt8>) {
        var events: [ScreenEvent] = []
        decoder.decode(bytes, into: &events)
        inputDeadline = decoder.patience.map { .now + $0 }
        tell(events)
    }

    private func tell(_ events: [ScreenEvent]) {
        for event in events {
            if event == .key(.control("z")) {
                suspend()
            } else {
                mailbox.tell(event)
                countInterrupts(event)
            }
        }
    }

    /// Counts presses of Ctrl-C, which is an ordinary key. Three presses in a row ask the program to end. If it hangs, it is killed after
    /// ``TerminalScreen/Options/terminationGrace``.
    private func countInterrupts(_ event: ScreenEvent) {
        guard case .key(let key) = event else { return }
        interrupts = key == .control("c") ? interrupts + 1 : 0
        guard interrupts == 3 else { return }
        mailbox.tell(.signal(SIGINT))
        expectEnd(by: SIGINT)
    }
}

// MARK: - Output

extension ScreenLoop {
    /// If the terminal is like xterm, a frame of at least this many bytes is sent as synchronized output, so that it is never seen half
    /// drawn.
    private static let synchronizedFrom = 256
    /// The number of bytes that may wait for the terminal before bells and notices are dropped.
    private static let mostOutput = 1 << 20

    private func handleDelivery() {
        let delivery = mailbox.collect()
        if let canvas = delivery.canvas { nextCanvas = canvas }
        if let title = delivery.title { nextTitle = title }
        for request in delivery.requests {
            switch request {
            case .write(let bytes): if canUseTerminal, output.count < ScreenLoop.mostOutput { output.append(bytes) }
            case .suspend: suspend()
            case .redraw: redraw()
            }
        }
        if delivery.wantsClose { isFinished = true }
    }

    /// Draws the newest canvas as soon as the terminal has accepted all earlier bytes. On a slow connection, frames are skipped, not
    /// queued.
    private func draw() {
        flush()
        guard !isGone, output.isEmpty else { return }
        setTitle()
        if let canvas = nextCanvas {
            nextCanvas = nil
            lastCanvas = canvas
            append(frame: renderer.bytes(for: canvas))
        }
        flush()
    }

    /// Draws every cell again, because another program has written to the terminal.
    private func redraw() {
        renderer.invalidate()
        nextCanvas = nextCanvas ?? lastCanvas
    }

    private func setTitle() {
        guard let text = nextTitle else { return }
        nextTitle = nil
        guard options.setsTitle, profile.isXtermLike, text != title else { return }
        title = text
        output.append(ControlStrings.title(text, isUTF8: profile.isUTF8))
    }

    private func append(frame: [UInt8]) {
        guard !frame.isEmpty else { return }
        frames += 1
        let isLarge = profile.isXtermLike && frame.count >= ScreenLoop.synchronizedFrom
        if isLarge { output.append(ControlStrings.beginSynchronized) }
        output.append(frame)
        if isLarge { output.append(ControlStrings.endSynchronized) }
    }

    private func flush() {
        guard !output.isEmpty else { return }
        if case .failed = output.flush(to: lifeCycle.terminal) { terminalIsGone() }
        mailbox.countOutput(bytes: output.written, frames: frames)
    }
}
