import Files
import Glibc
import Testing

@Suite("Files that are read")
struct ReadingTests {
    private func trouble(_ path: String, limit: Int = 16) -> SmallFile.Trouble? {
        do throws(SmallFile.Trouble) {
            _ = try SmallFile.bytes(path: path, limit: limit)
            return nil
        } catch {
            return error
        }
    }

    @Test("a file is read whole up to the limit, and one byte more is refused", arguments: [0, 1, 15, 16, 17, 4_096])
    func limit(count: Int) throws {
        let scratch = try Scratch()
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
        let path = try scratch.file("some", bytes)
        if count <= 16 {
            #expect(try SmallFile.bytes(path: path, limit: 16) == bytes)
        } else {
            #expect(trouble(path) == .tooLarge)
        }
    }

    @Test("a file of several pieces is read in their order")
    func pieces() throws {
        let scratch = try Scratch()
        let bytes = (0..<200_001).map { UInt8(truncatingIfNeeded: $0 / 7) }
        #expect(try SmallFile.bytes(path: try scratch.file("large", bytes), limit: 200_001) == bytes)
    }

    @Test("a system file whose stated size is zero is read")
    func unsized() throws {
        #expect(try !SmallFile.bytes(path: "/proc/self/status", limit: 1 << 16).isEmpty)
        #expect(trouble("/proc/self/status") == .tooLarge)
    }

    @Test("anything but a regular file is refused at once, including a pipe without a writer")
    func kinds() throws {
        let scratch = try Scratch()
        let pipe = scratch.path("pipe")
        try #require(mkfifo(pipe, 0o600) == 0)
        #expect(trouble(pipe) == .notAFile)
        #expect(trouble(scratch.path) == .notAFile)
        #expect(trouble("/dev/zero") == .notAFile)
        #expect(trouble(scratch.path("nowhere")) == .missing)
        #expect(throws: Files.OpenError.directory) { try Files.openRegular(scratch.path) }
        #expect(throws: Files.OpenError.notAFile) { try Files.openRegular(pipe) }
        #expect(throws: Files.OpenError.system(SystemError(ENOENT))) { try Files.openRegular(scratch.path("nowhere")) }
    }

    @Test("a link is followed to its file")
    func links() throws {
        let scratch = try Scratch()
        let path = try scratch.file("real", [1, 2])
        try #require(symlink(path, scratch.path("link")) == 0)
        #expect(try SmallFile.bytes(path: scratch.path("link"), limit: 16) == [1, 2])
        let resolved = Files.resolved(scratch.path("link"))
        #expect(resolved == Files.resolved(path) && resolved.hasSuffix("/real"))
        #expect(Files.resolved(scratch.path("nowhere")) == scratch.path("nowhere"))
    }

    @Test("a file that its owner has made unreadable cannot be read", .enabled(if: geteuid() != 0, "root reads every file"))
    func forbidden() throws {
        let scratch = try Scratch()
        let path = try scratch.file("closed", [1])
        chmod(path, 0)
        #expect(trouble(path) == .unreadable)
        #expect(throws: Files.OpenError.system(SystemError(EACCES))) { try Files.openRegular(path) }
    }

    @Test("a pipe is read up to its end or the limit, and has no size")
    func pipes() throws {
        let scratch = try Scratch()
        let path = scratch.path("pipe")
        try #require(mkfifo(path, 0o600) == 0)
        let reader = try Descriptor(path, O_RDONLY | O_NONBLOCK)
        do {
            let writer = try Descriptor(path, O_WRONLY)
            try Files.write([1, 2, 3, 4, 5], to: writer.number)
        }
        #expect(Files.size(of: reader.number) == nil)
        #expect(try Files.bytes(of: reader.number, limit: 2) == [1, 2])
        #expect(try Files.piece(of: reader.number, limit: 2) == [3, 4])
        #expect(try Files.bytes(of: reader.number, limit: 100) == [5])
        #expect(try Files.piece(of: reader.number, limit: 2).isEmpty)
    }

    @Test("an open folder cannot be read as bytes")
    func openFolder() throws {
        let scratch = try Scratch()
        let folder = try Descriptor(scratch.path, O_RDONLY)
        #expect(throws: SystemError(EISDIR)) { try Files.bytes(of: folder.number, limit: 10) }
        #expect(Files.size(of: folder.number) == nil && Files.size(of: -1) == nil)
    }

    @Test("the system's error text can begin or continue a sentence")
    func words() {
        #expect(SystemError(ENOSPC).words == "No space left on device")
        #expect(SystemError(ENOSPC).phrase == "no space left on device")
        #expect(SystemError(-1).words.contains("-1"))
    }
}
