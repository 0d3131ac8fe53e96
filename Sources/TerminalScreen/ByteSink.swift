/// Bytes that are put together one after the other, in room that is kept from picture to picture.
struct ByteSink: ~Copyable {
    private var storage: UnsafeMutablePointer<UInt8>
    private var capacity: Int
    private(set) var count = 0

    init(capacity: Int = 1 << 14) {
        self.capacity = max(1, capacity)
        storage = .allocate(capacity: self.capacity)
    }

    deinit { storage.deallocate() }

    /// What has been put in so far. It is gone with the next change.
    var bytes: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: storage, count: count) }

    mutating func removeAll() { count = 0 }

    @inline(__always)
    mutating func append(_ byte: UInt8) {
        if count == capacity { grow(by: 1) }
        storage[count] = byte
        count &+= 1
    }

    mutating func append(_ more: UnsafeBufferPointer<UInt8>) {
        guard let start = more.baseAddress, !more.isEmpty else { return }
        if more.count > capacity - count { grow(by: more.count) }
        (storage + count).update(from: start, count: more.count)
        count += more.count
    }

    /// The first of 32 bytes.
    @inline(__always)
    mutating func append(_ more: SIMD32<UInt8>, count length: Int) {
        if capacity - count < 32 { grow(by: 32) }
        UnsafeMutableRawPointer(storage + count).storeBytes(of: more, as: SIMD32<UInt8>.self)
        count &+= length
    }

    mutating func append(_ more: some Sequence<UInt8>) {
        for byte in more { append(byte) }
    }

    mutating func removeLast() { count = max(0, count - 1) }

    private mutating func grow(by more: Int) {
        let roomier = max(2 * capacity, count + more)
        let moved = UnsafeMutablePointer<UInt8>.allocate(capacity: roomier)
        moved.update(from: storage, count: count)
        storage.deallocate()
        (storage, capacity) = (moved, roomier)
    }
}
