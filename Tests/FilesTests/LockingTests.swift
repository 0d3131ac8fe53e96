import Files
import Glibc
import Testing

@Suite("Files that are locked", .timeLimit(.minutes(1)))
struct LockingTests {
    @Test("only one descriptor has the lock, until it is closed")
    func exclusive() throws {
        let scratch = try Scratch()
        let path = try scratch.file("lock", [])
        let second = try Descriptor(path, O_RDWR)
        do {
            let first = try Descriptor(path, O_RDWR)
            #expect(try Files.lock(first.number))
            // The same descriptor may lock the file again, because it already has the lock.
            #expect(try Files.lock(first.number))
            #expect(try Files.lock(second.number) == false)
            #expect(try Files.lock(second.number, .shared) == false)
        }
        #expect(try Files.lock(second.number))
    }

    @Test("several readers can share the lock, which keeps out a writer")
    func shared() throws {
        let scratch = try Scratch()
        let path = try scratch.file("lock", [])
        let lookers = [try Descriptor(path, O_RDONLY), try Descriptor(path, O_RDONLY)]
        for looker in lookers { #expect(try Files.lock(looker.number, .shared)) }
        let writer = try Descriptor(path, O_RDWR)
        #expect(try Files.lock(writer.number) == false)
    }

    @Test("a caller that waits gives up after the given time")
    func patience() throws {
        let scratch = try Scratch()
        let path = try scratch.file("lock", [])
        let first = try Descriptor(path, O_RDWR)
        let second = try Descriptor(path, O_RDWR)
        #expect(try Files.lock(first.number))
        let start = ContinuousClock.now
        #expect(try Files.lock(second.number, patienceSeconds: 0.05) == false)
        #expect(ContinuousClock.now - start >= .seconds(0.05))
    }

    @Test("a caller that waits gets the lock when it is released", arguments: [true, false])
    func waiting(isBounded: Bool) async throws {
        let scratch = try Scratch()
        let path = scratch.path
        let holder = try Descriptor(path, O_RDONLY | O_DIRECTORY)
        #expect(try Files.lock(holder.number))
        async let isLocked = Self.waitForLock(path, isBounded: isBounded)
        // Releases the lock, as closing the descriptor would.
        try #require(flock(holder.number, LOCK_UN) == 0)
        let hasLock = try await isLocked
        #expect(hasLock)
    }

    private static func waitForLock(_ path: String, isBounded: Bool) async throws -> Bool {
        let waiter = try Descriptor(path, O_RDONLY | O_DIRECTORY)
        if isBounded { return try Files.lock(waiter.number, patienceSeconds: 30) }
        try Files.waitForLock(waiter.number)
        let other = try Descriptor(path, O_RDONLY | O_DIRECTORY)
        return try !Files.lock(other.number)
    }

    @Test("a failure to lock is an error, and does not look like a lock of another process")
    func refused() {
        #expect(throws: SystemError(EBADF)) { try Files.lock(-1) }
        #expect(throws: SystemError(EBADF)) { try Files.waitForLock(-1) }
    }
}
