import Foundation
import Testing

@testable import ProgramHarness

@Suite("The socket of share", .timeLimit(.minutes(1)))
struct ShareSocketTests {
    @Test("share list and share end reach a program that was started without XDG_RUNTIME_DIR, as by cron")
    func withoutRuntimeFolder() throws {
        let (server, folder) = (try LocalServer(), try Folder())
        defer { withExtendedLifetime(folder) { server.stop() } }
        let trip = try #require(try server.book(from: "-36.005,-19.99", to: "-36.01,-19.98"))
        let state = ["XDG_STATE_HOME": folder.path + "/state"]
        let sharing = try server.program.start(["share", trip, "--http-port", "0"] + server.connection, setting: state)
        defer { sharing.stop() }
        let line = try #require(sharing.line())
        let link = try #require(line.split(separator: " ").last.map(String.init))
        let login = state.merging(["XDG_RUNTIME_DIR": folder.path + "/run"]) { $1 }
        for setting in [state, login] {
            let listed = try server.program.run(["share", "list"], setting: setting)
            // Without XDG_RUNTIME_DIR, the command also finds the links of the user who runs the tests.
            #expect(listed.lines.filter { $0.hasPrefix(line + " ") }.count == 1, "\(listed)")
        }
        // The shells' completion scripts call the program in this way to get the words that can follow.
        let asking = ["---completion", "share", "--", "positional@0", "3", "0", "tripwatch", "share", "end", ""]
        #expect(try server.program.run(asking, setting: login).lines == [link])
        let ended = try server.program.run(["share", "end", link], setting: login)
        #expect(ended.status == 0, "\(ended.errors)")
        // A socket that refuses connections may belong to another machine with the same home directory.
        kill(sharing.process.processIdentifier, SIGKILL)
        sharing.waitForEnd()
        _ = try server.program.run(["share", "list"], setting: login)
        let socket = folder.path + "/state/tripwatch/share-\(sharing.process.processIdentifier).sock"
        #expect(FileManager.default.fileExists(atPath: socket))
    }

    @Test("a follower of a link is told that the link has ended, whether by 'share end' or by a signal", arguments: [true, false])
    func ended(bySignal: Bool) throws {
        let (server, folder) = (try LocalServer(), try Folder())
        defer { withExtendedLifetime(folder) { server.stop() } }
        let state = ["XDG_STATE_HOME": folder.path + "/state"]
        let trip = try #require(try server.book(from: "-36.005,-19.99", to: "-36.01,-19.98"))
        let sharing = try server.program.start(["share", trip, "--http-port", "0"] + server.connection, setting: state)
        defer { sharing.stop() }
        let line = try #require(sharing.line())
        let link = try #require(line.split(separator: " ").last.map(String.init))
        let viewer = try server.program.start(["follow", link, "--output", "json"])
        defer { viewer.stop() }
        let lines = LineWatch(viewer.output)
        #expect(lines.line(with: #""event":"status""#) != nil)
        if bySignal {
            sharing.stop()
        } else {
            #expect(try server.program.run(["share", "end", link], setting: state).status == 0)
        }
        let error = try #require(lines.line(with: #""event":"error""#))
        #expect(error.contains(#""action":"get_new_link""#) && error.contains("This link no longer works. Ask for a new link."), "\(error)")
        viewer.waitForEnd()
        #expect(viewer.process.terminationStatus == 3)
    }
}
