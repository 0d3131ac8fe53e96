/// Turns the bytes that a server sends on one connection into steps, according to a fault.
struct ServerBytes {
    enum Step: Hashable {
        case pass([UInt8], afterMilliseconds: Int64 = 0)
        case end
        case reset

        /// The pause before the step, in milliseconds.
        var milliseconds: Int64 {
            guard case .pass(_, let milliseconds) = self else { return 0 }
            return milliseconds
        }
    }

    private var scanner = FrameScanner()
    /// The number of bytes of an incomplete frame header that have already been passed on.
    private var passedOfHead = 0
    /// The number of bytes that the server has sent since the fault began.
    private var count = 0
    private var era = 0
    /// Whether bytes were dropped. All later bytes are then dropped too.
    private(set) var isBroken = false

    /// Marks the connection as broken, because some of the client's bytes are lost.
    mutating func breakOff() { isBroken = true }

    /// Returns the steps for the server's next bytes.
    /// - Parameter newEra: the number of times that the fault has changed.
    mutating func steps(for bytes: [UInt8], _ fault: ConnectionFault, era newEra: Int) -> [Step] {
        if era != newEra {
            era = newEra
            count = 0
        }
        guard !isBroken else { return [] }
        if case .frame(let fault) = fault { return steps(for: bytes, fault) }
        _ = scanner.parts(of: bytes)
        passedOfHead = scanner.unfinishedHead.count
        defer { count += bytes.count }
        return plainSteps(for: bytes, fault)
    }

    private mutating func plainSteps(for bytes: [UInt8], _ fault: ConnectionFault) -> [Step] {
        switch fault {
        case .none, .frame: return [.pass(bytes)]
        case .refuse, .blackHole, .halfOpen:
            isBroken = true
            return []
        // The client gets only the prepared answer. Bytes that an HTTP/2 server sends by itself are dropped.
        case .answer: return []
        case .delay(let milliseconds): return [.pass(bytes, afterMilliseconds: milliseconds)]
        case .drip(let size, let milliseconds):
            return stride(from: 0, to: bytes.count, by: max(size, 1)).map {
                .pass(Array(bytes.dropFirst($0).prefix(max(size, 1))), afterMilliseconds: milliseconds)
            }
        case .cut(let limit): return cut(bytes, after: limit, .end)
        case .reset(let limit): return cut(bytes, after: limit, .reset)
        case .corrupt(let limit):
            let whole = bytes.prefix(max(0, limit - count))
            return [.pass(whole + bytes.dropFirst(whole.count).map { ~$0 })]
        }
    }

    private mutating func cut(_ bytes: [UInt8], after limit: Int, _ end: Step) -> [Step] {
        guard count + bytes.count > limit else { return [.pass(bytes)] }
        isBroken = true
        return [.pass(Array(bytes.prefix(max(0, limit - count)))), end]
    }

    private mutating func steps(for bytes: [UInt8], _ fault: FrameFault) -> [Step] {
        var passed: [UInt8] = []
        for part in scanner.parts(of: bytes) {
            switch part {
            case .payload(let payload): passed += payload
            case .head(let head):
                if let last = Self.lastBytes(at: head, fault) {
                    isBroken = true
                    return fault == .goAways ? [.pass(passed + last)] : [.pass(passed + last), .end]
                }
                passed += head.bytes.dropFirst(passedOfHead)
                passedOfHead = 0
            }
        }
        return [.pass(passed)]
    }

    /// A GOAWAY that allows the server to process all calls that have begun.
    private static let goAwayAfterCalls: [UInt8] = [0, 0, 8, 7, 0, 0, 0, 0, 0, 0x7F, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0]

    /// Returns the bytes that are sent instead of this frame and all later frames; nil if the frame is passed on.
    private static func lastBytes(at head: FrameScanner.Head, _ fault: FrameFault) -> [UInt8]? {
        switch fault {
        case .cutHead where head.isHeaders, .cutMessage where head.isData, .cutTrailer where head.isHeaders && head.endsStream:
            return head.bytes
        case .goAway where head.isHeaders: return [0, 0, 8, 7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]
        case .goAways where head.isHeaders: return Array(repeatElement(goAwayAfterCalls, count: 1_000).joined())
        case .resetStream where head.isHeaders: return [0, 0, 4, 3, 0] + head.stream + [0, 0, 0, 2]
        default: return nil
        }
    }
}
