import FleetEngineAPI
import SwiftProtobuf
import Testing

@testable import FleetEngineWire

@Suite("The parts of an encoded message")
struct MessagePartsTests {
    /// Returns whether a message has too many parts. The message is a trip's name, then `count` copies of `bytes`, then `end`.
    private func areTooMany(_ bytes: [UInt8], _ count: Int, end: [UInt8] = []) -> Bool {
        let head: [UInt8] = [0x0A, 1, 0x61]
        return (head + Array(repeatElement(bytes, count: count).joined()) + end).withUnsafeBytes { MessageParts.areTooMany(in: $0) }
    }

    private func length(_ count: Int) -> [UInt8] {
        [UInt8(count & 0x7F | 0x80), UInt8(count >> 7 & 0x7F | 0x80), UInt8(count >> 14 & 0x7F | 0x80), UInt8(count >> 21)]
    }

    private static let parts: [[UInt8]] = [[0x4A, 0], [0x82, 1, 0], [0x82, 1, 2, 0x18, 1]]

    @Test("a message may have as many parts as the limit says", arguments: parts)
    func limit(part: [UInt8]) {
        #expect(!areTooMany(part, MessageParts.most - 1))
        #expect(areTooMany(part, MessageParts.most))
    }

    @Test("parts are also found in parts, in groups, and before bytes that are no field")
    func hidden() {
        let inner = Array(repeatElement([0x22, 0] as [UInt8], count: MessageParts.most).joined())
        #expect(areTooMany([0x82, 1] + length(inner.count) + inner, 1))
        #expect(areTooMany([0x9B, 6] + inner + [0x9C, 6], 1))
        #expect(areTooMany([0x4A, 0], MessageParts.most, end: [0xFF]))
    }

    @Test("a route of 200,000 points and a long text have few parts", arguments: ["x", "z", "J", "_p~iF~ps|U", "aé"])
    func ordinary(text: String) throws {
        let trip = WireTrip.with {
            $0.route = (0..<200_000).map { number in .with { ($0.latitude, $0.longitude) = (1 + Double(number) / 1e6, 2) } }
            $0.attributes = [.with { ($0.key, $0.stringValue) = ("k", String(repeating: text, count: 500_000)) }]
        }
        let bytes: [UInt8] = try trip.serializedBytes()
        #expect(bytes.count > 2 * MessageParts.most && !bytes.withUnsafeBytes { MessageParts.areTooMany(in: $0) })
    }
}
