import Geo
import HTTP2Frames
import Testing

@Suite("The ends of HTTP/2 frames")
struct FrameEndsTests {
    /// Returns a frame of an unknown type whose contents are `length` bytes long.
    private func frame(_ length: Int) -> [UInt8] {
        let size = [16, 8, 0].map { UInt8(length >> $0 & 0xFF) }
        return size + [0x50, 0, 0, 0, 0, 1] + Array(repeating: 1, count: length)
    }

    @Test("the rest of a frame ends with its contents; after the end of a frame there is no rest")
    func rest() {
        var ends = FrameEnds(of: .server)
        let steps: [(bytes: [UInt8], rest: Int)] = [
            (frame(5), 0), (Array(frame(300).prefix(4)), 0), (Array(frame(300).dropFirst(4).prefix(100)), 100),
            (Array(frame(300).dropFirst(104)) + frame(0) + Array(frame(70_000).prefix(50)), 205), ([], 0),
            (Array(frame(70_000).dropFirst(50)), 69_959), (frame(0), 0), (Array(frame(0).prefix(8)), 0),
            (Array(frame(0).suffix(1)) + frame(2), 1), (frame(2), 0),
        ]
        for (index, step) in steps.enumerated() {
            let rest = ends.restOfFrame(in: step.bytes)
            #expect(rest == step.rest, "step \(index)")
        }
    }

    @Test("the client's preface counts like a frame")
    func preface() {
        var ends = FrameEnds(of: .client)
        let preface = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)
        let parts: [[UInt8]] = [Array(preface.prefix(10)), Array(preface.dropFirst(10)) + frame(0), frame(9)]
        let rests = parts.map { ends.restOfFrame(in: $0) }
        #expect(rests == [10, 14, 0])
    }

    @Test("in whatever pieces frames arrive, each piece that passes a frame's end is split at an end")
    func pieces() {
        var random = SeededRandom(seed: 5)
        let lengths = (0..<500).map { _ in random.int(in: 0...200) }
        let bytes = lengths.flatMap(frame)
        let frameEnds = Set(lengths.reduce(into: [0]) { $0.append(($0.last ?? 0) + 9 + $1) })
        var ends = FrameEnds(of: .server)
        var start = 0
        while start < bytes.count {
            let end = min(bytes.count, start + random.int(in: 1...400))
            let rest = ends.restOfFrame(in: bytes[start..<end])
            if frameEnds.contains(start) {
                #expect(rest == 0)
            } else if let first = (start...end).first(where: frameEnds.contains) {
                #expect(rest == first - start)
            } else {
                #expect(rest == end - start)
            }
            start = end
        }
    }
}
