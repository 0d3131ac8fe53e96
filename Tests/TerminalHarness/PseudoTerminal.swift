import Glibc
import TerminalCanvas

/// An error in the tests' own tools.
public struct HarnessError: Error, CustomStringConvertible {
    public let description: String

    public init(_ description: String) {
        self.description = description
    }
}

/// Both ends of a pseudo-terminal. The test also keeps the program's end open, so that the settings outlive the program.
public final class PseudoTerminal {
    private var master: Int32
    private let slave: Int32
    /// The path of the device, such as "/dev/pts/7".
    public let path: String
    /// All output since the start.
    public private(set) var output: [UInt8] = []
    /// A virtual terminal that interprets the output.
    public private(set) var virtual: VirtualTerminal
    /// Whether the test stops reading the program's output, as if the network had failed.
    public var isStalled = false
    /// The simulated connection between the program and the window; nil for a direct connection.
    public var link: SlowLink?

    public init(columns: Int = 80, rows: Int = 24, erasesWithBackground: Bool = true, wrapsAtOnce: Bool = false) throws {
        var (master, slave): (Int32, Int32) = (-1, -1)
        var name = [CChar](repeating: 0, count: 256)
        guard openpty(&master, &slave, nil, nil, nil) == 0, ttyname_r(slave, &name, name.count) == 0 else {
            throw HarnessError("no pseudo-terminal")
        }
        (self.master, self.slave) = (master, slave)
        path = String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        _ = fcntl(master, F_SETFL, O_NONBLOCK)
        // Programs that tests start at the same time must not inherit these ends, or the window would stay open after `hangUp()`.
        for descriptor in [master, slave] { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
        let size = Size(columns: columns, rows: rows)
        virtual = VirtualTerminal(size: size, erasesWithBackground: erasesWithBackground, wrapsAtOnce: wrapsAtOnce)
        setSize(columns: columns, rows: rows)
    }

    deinit {
        hangUp()
        close(slave)
    }

    /// Closes the window.
    public func hangUp() {
        guard master >= 0 else { return }
        close(master)
        master = -1
    }

    private func setSize(columns: Int, rows: Int) {
        var size = winsize(ws_row: UInt16(rows), ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
        _ = ioctl(slave, UInt(TIOCSWINSZ), &size)
    }

    /// Changes the size of the window. The system signals this to the programs in the window.
    public func resize(columns: Int, rows: Int) {
        virtual.resize(to: Size(columns: columns, rows: rows))
        setSize(columns: columns, rows: rows)
    }

    /// The line settings in the form that `stty -g` prints.
    public var settings: String {
        var settings = termios()
        guard tcgetattr(slave, &settings) == 0 else { return "none" }
        let characters = withUnsafeBytes(of: &settings.c_cc) { Array($0.prefix(Int(NCCS))) }
        let flags = [settings.c_iflag, settings.c_oflag, settings.c_cflag, settings.c_lflag]
        return (flags.map { String($0, radix: 16) } + characters.map { String($0, radix: 16) }).joined(separator: ":")
    }

    /// The number of bytes that the next program would read.
    public var unreadInput: Int {
        var settings = termios()
        guard tcgetattr(slave, &settings) == 0 else { return 0 }
        // In line mode, the bytes of an unfinished line would not be counted.
        var raw = settings
        cfmakeraw(&raw)
        tcsetattr(slave, TCSANOW, &raw)
        defer { tcsetattr(slave, TCSANOW, &settings) }
        var count: Int32 = 0
        return ioctl(slave, UInt(FIONREAD), &count) == 0 ? Int(count) : 0
    }

    /// Types a text.
    public func send(_ text: String) {
        send(Array(text.utf8))
    }

    public func send(_ bytes: [UInt8]) {
        _ = bytes.withUnsafeBytes { write(master, $0.baseAddress, $0.count) }
    }

    /// Writes a text as another program on the terminal would.
    public func print(_ text: String) {
        let bytes = Array(text.utf8)
        _ = bytes.withUnsafeBytes { write(slave, $0.baseAddress, $0.count) }
    }

    /// Reads the output that has arrived.
    /// - Returns: false if no output has arrived.
    @discardableResult
    public func drain() -> Bool {
        if link != nil { return drainLink() }
        var buffer = [UInt8](repeating: 0, count: 65_536)
        var didRead = false
        while master >= 0, !isStalled {
            let count = read(master, &buffer, buffer.count)
            guard count > 0 else { return didRead }
            didRead = true
            output += buffer[..<count]
            virtual.take(buffer[..<count])
        }
        return didRead
    }

    /// Reads all output up to now. Output may arrive late, so the function writes a mark and reads up to the mark.
    public func drainWhole() {
        drain()
        guard link == nil, master >= 0, !isStalled else { return }
        let mark = Array("\u{1b}_mark\u{1b}\\".utf8)
        guard write(slave, mark, mark.count) == mark.count else { return }
        let deadline = ContinuousClock.now + .seconds(5)
        var rest: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while rest.firstRange(of: mark) == nil, ContinuousClock.now < deadline {
            var descriptor = pollfd(fd: master, events: Int16(POLLIN), revents: 0)
            poll(&descriptor, 1, 1_000)
            let count = read(master, &buffer, buffer.count)
            if count > 0 { rest += buffer[..<count] }
        }
        if let found = rest.firstRange(of: mark) { rest.removeSubrange(found) }
        output += rest
        virtual.take(rest)
    }

    private func drainLink() -> Bool {
        guard var link, master >= 0, !isStalled else { return false }
        defer { self.link = link }
        var buffer = [UInt8](repeating: 0, count: max(1, link.room()))
        let count = link.room() > 0 ? read(master, &buffer, buffer.count) : 0
        if count > 0 { link.take(buffer[..<count]) }
        let arrived = link.arrived()
        output += arrived
        virtual.take(arrived[...])
        return !arrived.isEmpty
    }

    /// Reads output until a condition is true. The condition is also checked when a byte arrives on the descriptor `other`.
    ///
    /// - Throws: ``HarnessError`` if the condition is not true in time.
    public func wait(for what: String, or other: Int32 = -1, seconds: Double = 60, until isDone: () -> Bool) throws {
        let deadline = ContinuousClock.now + .seconds(seconds)
        while true {
            drain()
            if isDone() { return }
            let left = (deadline - .now).components.seconds
            guard left >= 0, deadline > .now else {
                throw HarnessError("waited in vain for \(what); got \(visibleOutput.suffix(400))\n\(virtual.text)")
            }
            var descriptors = [
                pollfd(fd: isStalled || link != nil ? -1 : master, events: Int16(POLLIN), revents: 0),
                pollfd(fd: other, events: Int16(POLLIN), revents: 0),
            ]
            // A simulated link delivers bytes as time passes, so the wait is short.
            poll(&descriptors, 2, link == nil ? Int32(left * 1_000 + 1_000) : SlowLink.stepMilliseconds)
        }
    }

    public func wait(forOutput text: String) throws {
        try wait(for: text) { outputText.contains(text) }
    }

    public var outputText: String { String(decoding: output, as: UTF8.self) }
    public var visibleOutput: String { outputText.replacing("\u{1b}", with: "␛") }

    /// Returns the number of times that a text was printed.
    public func count(_ text: String) -> Int {
        outputText.split(separator: text, omittingEmptySubsequences: false).count - 1
    }
}

extension PseudoTerminal {
    /// Whether a terminfo entry is installed, in Debian's folders or in those of TERMINFO_DIRS.
    public static func isInstalled(_ type: String) -> Bool {
        let named = getenv("TERMINFO_DIRS").map { String(cString: $0).split(separator: ":").map(String.init) } ?? []
        let places = named + ["/etc/terminfo", "/lib/terminfo", "/usr/share/terminfo"]
        return places.contains { access("\($0)/\(type.prefix(1))/\(type)", R_OK) == 0 }
    }
}
