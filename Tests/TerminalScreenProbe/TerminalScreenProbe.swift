import Glibc
import TerminalCanvas
import TerminalScreen

/// A program that does nothing but show a screen, for tests that stop, kill and crash it. It reports on descriptor 3.
///
/// With `--launcher` as its first argument, the program acts as a shell: it starts itself with the other arguments, under the job
/// control of ``Launcher``.
@main
enum TerminalScreenProbe {
    static func main() async {
        var arguments = Array(CommandLine.arguments.dropFirst())
        if arguments.first == "--launcher" {
            arguments.removeFirst()
            Launcher(arguments: arguments).run()
        }
        if arguments.contains("--foreground") { Launcher.takeForeground() }
        if arguments.contains("--no-streams") { for stream in 0...2 as ClosedRange<Int32> { dup2(open("/dev/null", O_RDWR), stream) } }
        if arguments.contains("--no-crash-reports") { TerminalScreen.leaveOutCrashReports() }
        var options = TerminalScreen.Options()
        options.mouse = arguments.contains("--mouse")
        options.allowsClipboard = true
        if arguments.contains("--ask") { options.asksBackground = .always }
        if let grace = arguments.first(where: { $0.hasPrefix("--grace=") }).flatMap({ Int($0.dropFirst(8)) }) {
            options.terminationGrace = .milliseconds(grace)
        }
        do throws(TerminalScreenError) {
            let screen = try TerminalScreen.open(options: options)
            await watch(screen)
        } catch {
            report("error \(error)")
            exit(7)
        }
    }

    @MainActor
    private static func watch(_ screen: TerminalScreen) async {
        draw(screen, "ready")
        report(
            "ready \(screen.size.columns)x\(screen.size.rows) \(screen.colorDepth) \(screen.painterHint)\(screen.background.map { " \($0)" } ?? "")"
        )
        for await event in screen.events {
            report("event \(event)")
            switch event {
            case .key(.character("q")): await finish(screen)
            case .key(let key): misbehave(key, screen)
            case .signal(let number):
                printError(await screen.close())
                report("closed")
                TerminalScreen.endProcess(bySignal: number)
            case .closed where CommandLine.arguments.contains("--stay"): break
            case .closed:
                _ = await screen.close()
                report("closed")
                TerminalScreen.endProcess(bySignal: SIGHUP)
            case .resize: draw(screen, "resized")
            default: break
            }
        }
    }

    private static func finish(_ screen: TerminalScreen) async {
        let held = await screen.close()
        let again = await screen.close()
        report("closed again \(again.isEmpty)")
        printError(held)
        exit(0)
    }

    /// Does what the key stands for: exits, crashes, hangs, draws, copies, suspends or prints an error. Other keys do nothing.
    @MainActor
    private static func misbehave(_ key: Key, _ screen: TerminalScreen) {
        switch key {
        case .character("w"):
            printError("held words\n")
            report("held")
        case .character("e"): exit(3)
        case .character("t"): fatalError("the probe trapped")
        case .character("a"): abort()
        case .character("n"): UnsafeMutablePointer<Int>(bitPattern: 8)?.pointee = 1
        case .character("o"):
            TerminalScreen.protectThread()
            report("depth \(overflow(0))")
        case .character("s"): screen.suspend()
        case .character("d"): draw(screen, "drawn")
        case .character("c"): report("copied \(screen.copyToClipboard(String(repeating: "x", count: 74_000)))")
        case .character("h"): while true { pause() }
        case .character("u"): draw(screen, "a\u{2800} \u{28ff}|東|")
        case .character("z"): draw(screen, "stray", title: "stray\u{1b}]0;title")
        default: break
        }
    }

    /// Calls itself until the stack is full.
    private static func overflow(_ depth: Int) -> Int {
        withUnsafeTemporaryAllocation(of: Int.self, capacity: 1_024) { $0.count + overflow(depth + 1) } + 1
    }

    private static func draw(_ screen: TerminalScreen, _ words: String, title: String = "probe") {
        var canvas = Canvas(size: screen.size)
        canvas.write(words, column: 0, row: 0, style: Style(foreground: .palette(196), attributes: .bold))
        screen.present(canvas, title: title)
    }
}

/// Reports a line to the test.
func report(_ line: String) {
    _ = Array("\(line)\n".utf8).withUnsafeBytes { write(3, $0.baseAddress, $0.count) }
}

func printError(_ text: String) {
    _ = Array(text.utf8).withUnsafeBytes { write(2, $0.baseAddress, $0.count) }
}
