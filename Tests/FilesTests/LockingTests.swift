import Files
import Glibc
import Testing

@Suite("Files that are locked", .timeLimit(.minutes(1)))
struct LockingTests {
    @Test("one has the lock until its descriptor is closed")
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

    @Test("all that only look have it at once, and keep out whom they would see writing")
    func shared() throws {
        let scratch = try Scratch()
        let path = try scratch.file("lock", [])
        let lookers = [try Descriptor(path, O_RDONLY), try Descriptor(path, O_RDONLY)]
        for looker in lookers { #expect(try Files.lock(looker.number, .shared)) }
        let writer = try Descriptor(path, O_RDWR)
        #expect(try Files.lock(writer.number) == false)
    }

    @Test("who waits gives up after the time")
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

    @Test("who waits gets it when the other ends", arguments: [true, false])
    func waiting(isBounded: Bool) async throws {
        let scratch = try Scratch()
        let path = scratch.path
        let holder = try Descriptor(path, O_RDONLY | O_DIRECTORY)
        #expect(try Files.lock(holder.number))
        async let isLocked = Self.waitForLock(path, isBounded: isBounded)
        // Releases the lock in the same way as closing the descriptor.
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

    @Test("what cannot be locked is an error, and no other's lock")
    func refused() {
        #expect(throws: SystemError(EBADF)) { try Files.lock(-1) }
        #expect(throws: SystemError(EBADF)) { try Files.waitForLock(-1) }
    }
}
