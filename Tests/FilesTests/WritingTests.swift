import Files
import Glibc
import Testing

@Suite("Files that are written", .serialized)
struct WritingTests {
    private func unfinished(_ body: () throws(UnfinishedWrite) -> Void) -> UnfinishedWrite? {
        do throws(UnfinishedWrite) {
            try body()
            return nil
        } catch {
            return error
        }
    }

    @Test("all bytes are written, one write after the other, or at a position in the file")
    func all() throws {
        let scratch = try Scratch()
        let file = try Descriptor(scratch.path("some"), O_WRONLY | O_CREAT)
        try Files.write([1, 2, 3], to: file.number)
        try Files.write([], to: file.number)
        try Files.write([4, 5], to: file.number)
        try Files.write([9, 8], to: file.number, at: 1)
        #expect(try scratch.bytes("some") == [1, 9, 8, 4, 5])
        #expect(Files.size(of: file.number) == 5)
    }

    @Test("an interrupted write reports how much was written, and why it stopped")
    func partial() throws {
        let scratch = try Scratch()
        let pipe = try NarrowPipe(in: scratch)
        let bytes = (0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 / 3) }
        let error = try #require(unfinished { () throws(UnfinishedWrite) in try Files.write(bytes, to: pipe.writer.number) })
        #expect(error.reason.code == EAGAIN && error.count > 0 && error.count < bytes.count)
        #expect(try Files.bytes(of: pipe.reader.number, limit: error.count) == Array(bytes.prefix(error.count)))
        // Bytes that were written to a pipe cannot be removed from it.
        let next = try #require(unfinished { () throws(UnfinishedWrite) in try Files.append(bytes, to: pipe.writer.number) })
        #expect(next.reason.code == EAGAIN && next.count > 0)
    }

    @Test("a full device and a closed descriptor accept nothing")
    func refused() throws {
        let full = try Descriptor("/dev/full", O_WRONLY)
        let refused = UnfinishedWrite(count: 0, reason: SystemError(ENOSPC))
        #expect(unfinished { () throws(UnfinishedWrite) in try Files.write([1], to: full.number) } == refused)
        #expect(unfinished { () throws(UnfinishedWrite) in try Files.append([1], to: full.number) } == refused)
        let closed = UnfinishedWrite(count: 0, reason: SystemError(EBADF))
        #expect(unfinished { () throws(UnfinishedWrite) in try Files.write([1], to: -1) } == closed)
    }

    @Test("an incomplete line is removed again, and the lines before it stay")
    func cutOff() throws {
        let scratch = try Scratch()
        let file = try Descriptor(scratch.path("log"), O_RDWR | O_CREAT | O_APPEND)
        try Files.append(Array("one\n".utf8), to: file.number)
        // The limit applies to all files of the process, but is too high to affect other tests. The test's own file is sparse.
        let limit = 1 << 36
        try #require(ftruncate(file.number, limit - 10) == 0)
        let error = withFileLimit(limit) {
            unfinished { () throws(UnfinishedWrite) in try Files.append(Array("a line of more than ten\n".utf8), to: file.number) }
        }
        #expect(error == UnfinishedWrite(count: 0, reason: SystemError(EFBIG)))
        #expect(Files.size(of: file.number) == limit - 10)
        // The file can grow by ten more bytes.
        try withFileLimit(limit) { try Files.append(Array("ten bytes\n".utf8), to: file.number) }
        #expect(Files.size(of: file.number) == limit)
        let reader = try Descriptor(scratch.path("log"), O_RDONLY)
        #expect(try Files.piece(of: reader.number, limit: 4) == Array("one\n".utf8))
    }

    /// Runs `body` with a limit on the size of each file that the process writes.
    private func withFileLimit<Result>(_ bytes: Int, _ body: () throws -> Result) rethrows -> Result {
        let resource = __rlimit_resource_t(RLIMIT_FSIZE.rawValue)
        var before = rlimit()
        getrlimit(resource, &before)
        var limited = rlimit(rlim_cur: rlim_t(bytes), rlim_max: before.rlim_max)
        let handler = signal(SIGXFSZ, SIG_IGN)
        setrlimit(resource, &limited)
        defer {
            setrlimit(resource, &before)
            signal(SIGXFSZ, handler)
        }
        return try body()
    }
}
