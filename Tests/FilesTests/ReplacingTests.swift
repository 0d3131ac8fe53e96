import Files
import Foundation
import Glibc
import Testing

@Suite("Files that replace others")
struct ReplacingTests {
    private func error(_ body: () throws(SystemError) -> Void) -> SystemError? {
        do throws(SystemError) {
            try body()
            return nil
        } catch {
            return error
        }
    }

    @Test("a file is replaced as a whole, and only its owner has access to it", arguments: [true, false])
    func replaced(isSynchronized: Bool) throws {
        let scratch = try Scratch()
        try Files.replace(scratch.path("some"), with: [1, 2, 3], isSynchronized: isSynchronized)
        #expect(Files.mode(of: scratch.path("some")) == 0o600)
        let reader = try Descriptor(scratch.path("some"), O_RDONLY)
        try Files.replace(scratch.path("some"), with: [4], isSynchronized: isSynchronized)
        #expect(try scratch.bytes("some") == [4])
        // A reader that opened the file before it was replaced still reads the old bytes.
        #expect(try Files.bytes(of: reader.number, limit: 10) == [1, 2, 3])
        #expect(scratch.names == ["some"])
    }

    @Test("permissions are those requested, whatever the umask is", arguments: [0o600, 0o640, 0o666] as [mode_t])
    func permissions(mode: mode_t) throws {
        let scratch = try Scratch()
        try Files.replace(scratch.path("some"), with: [1], mode: mode)
        #expect(Files.mode(of: scratch.path("some")) == mode)
        #expect(Files.mode(of: scratch.path("nowhere")) == nil)
    }

    @Test("if a file cannot be replaced, everything stays as it was")
    func refused() throws {
        let scratch = try Scratch()
        try #require(mkdir(scratch.path("folder"), 0o700) == 0)
        #expect(error { () throws(SystemError) in try Files.replace(scratch.path("folder"), with: [1]) } == SystemError(EISDIR))
        #expect(scratch.names == ["folder"])
        let nowhere = scratch.path("nowhere/some")
        #expect(error { () throws(SystemError) in try Files.replace(nowhere, with: [1]) } == SystemError(ENOENT))
    }

    @Test("a folder that its owner has made unwritable accepts no file", .enabled(if: geteuid() != 0, "root writes into every folder"))
    func closedFolder() throws {
        let scratch = try Scratch()
        let path = try scratch.file("some", [1])
        chmod(scratch.path, 0o500)
        defer { chmod(scratch.path, 0o700) }
        #expect(error { () throws(SystemError) in try Files.replace(path, with: [2]) } == SystemError(EACCES))
        #expect(try scratch.bytes("some") == [1])
    }

    @Test("drafts of processes that have ended are removed, and those of other processes stay")
    func drafts() throws {
        let scratch = try Scratch()
        let ended = Process()
        ended.executableURL = URL(filePath: "/bin/true")
        try ended.run()
        ended.waitUntilExit()
        let stay = ["some.1.draft", "some.mine.draft", "some.-1.draft", "some.0.draft", "other.\(ended.processIdentifier).draft"]
        for name in stay + ["some.\(ended.processIdentifier).draft", "some.\(getpid()).draft"] { _ = try scratch.file(name, [0]) }
        try Files.replace(scratch.path("some"), with: [1])
        #expect(scratch.names == (stay + ["some"]).sorted())
    }

    @Test("a new file never replaces another one")
    func new() throws {
        let scratch = try Scratch()
        #expect(try Files.create(scratch.path("some"), [1, 2]))
        #expect(try Files.create(scratch.path("some"), [3]) == false)
        #expect(error { () throws(SystemError) in try Files.make(scratch.path("some"), [3]) } == SystemError(EEXIST))
        #expect(try scratch.bytes("some") == [1, 2] && Files.mode(of: scratch.path("some")) == 0o600)
        #expect(scratch.names == ["some"])
        // A symbolic link to a file that does not exist is not followed either.
        try #require(symlink(scratch.path("elsewhere"), scratch.path("link")) == 0)
        #expect(error { () throws(SystemError) in try Files.make(scratch.path("link"), [3]) } == SystemError(EEXIST))
        #expect(scratch.names == ["link", "some"])
    }

    @Test("a complete file gets a second name, unless another file has that name")
    func published() throws {
        let scratch = try Scratch()
        let draft = try scratch.file("draft", [1])
        try Files.publish(draft, as: scratch.path("some"))
        #expect(try scratch.bytes("some") == [1])
        let other = try scratch.file("other", [2])
        #expect(error { () throws(SystemError) in try Files.publish(other, as: scratch.path("some")) } == SystemError(EEXIST))
        #expect(try scratch.bytes("some") == [1])
    }

    @Test("a file's folder is the part before its name")
    func folders() {
        #expect(Files.folder(of: "/a/b/c") == "/a/b/" && Files.folder(of: "/c") == "/" && Files.folder(of: "c") == "./")
    }
}
