import GRPCCore
import Geo
import NIOCore
import Testing

@testable import GRPCServing

@Suite("Messages compressed with gzip")
struct GzipTests {
    /// Returns the code of the error; nil if the bytes can be read.
    private func code(_ bytes: ByteBuffer, limit: Int) -> RPCError.Code? {
        do {
            var request = GRPCRequest(limit: limit, encoding: .gzip)
            try request.append(bytes)
            _ = try request.message().unpacked()
            return nil
        } catch { return (error as? RPCError)?.code ?? .unknown }
    }

    /// Returns a compressed message with its prefix.
    private func framed(_ packed: [UInt8]) -> ByteBuffer {
        var message = ByteBuffer()
        message.writeInteger(UInt8(1))
        message.writeInteger(UInt32(packed.count))
        message.writeBytes(packed)
        return message
    }

    private func packed(_ plain: [UInt8]) throws -> [UInt8] { Array(buffer: try #require(Gzip.pack(ByteBuffer(bytes: plain)))) }

    @Test("a message that was compressed is decompressed to the same bytes", arguments: UInt64(1)...20)
    func roundTrip(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let plain = (0..<Int.random(in: 1_025...100_000, using: &random)).map { _ in UInt8.random(in: 0...7, using: &random) }
        let message = ByteBuffer(grpcMessage: plain).grpcCompressed()
        #expect(message.isGRPCCompressed && message.readableBytes < plain.count)
        var request = GRPCRequest(limit: plain.count, encoding: .gzip)
        try request.append(message)
        #expect(Array(buffer: try request.message().unpacked()) == plain)
    }

    @Test("a message of at most 1 KiB, or one that does not become smaller, is not compressed")
    func leftAlone() {
        var random = SeededRandom(seed: 1)
        let noise = (0..<5_000).map { _ in UInt8.random(in: 0...255, using: &random) }
        let messages: [[UInt8]] = [[], Array(repeating: 7, count: 1_024), noise]
        for plain in messages {
            let message = ByteBuffer(grpcMessage: plain)
            #expect(message.grpcCompressed() == message && !message.isGRPCCompressed)
        }
        #expect(ByteBuffer(grpcMessage: Array(repeating: 7, count: 1_025)).grpcCompressed().isGRPCCompressed)
    }

    @Test("the limit of a message applies after decompression, whatever size the message announces")
    func bombs() throws {
        let bomb = try packed(Array(repeating: 0, count: 100_000))
        #expect(code(framed(bomb), limit: 100_000) == nil)
        #expect(code(framed(bomb), limit: 99_999) == .resourceExhausted)
        let modest = Array(bomb.dropLast(4)) + [100, 0, 0, 0]
        #expect(code(framed(modest), limit: 100_000) == .resourceExhausted)
        let boastful = Array(bomb.dropLast(4)) + [255, 255, 255, 255]
        #expect(code(framed(boastful), limit: 100_000) == .resourceExhausted)
    }

    @Test("damaged data is INTERNAL, and so is data that is not gzip")
    func damaged() throws {
        let good = try packed(Array(repeating: 1, count: 2_000))
        var wrongSum = good
        wrongSum[good.count - 8] ^= 1
        let zlib: [UInt8] = [0x78, 0x9c, 3, 0, 0, 0, 0, 1] + Array(repeating: 0, count: 20)
        let messages: [[UInt8]] = [[], [1, 2, 3], Array(repeating: 0xff, count: 50), zlib, wrongSum]
        for bytes in messages {
            #expect(code(framed(bytes), limit: 10_000) == .internalError, "\(bytes)")
        }
    }

    @Test("damaged or shortened data never gives more bytes than the limit, and every failure is a refusal", arguments: UInt64(1)...40)
    func fuzz(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let plain = (0..<3_000).map { _ in UInt8.random(in: 0...3, using: &random) }
        var bytes = try packed(plain)
        for _ in 0..<50 {
            bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            let cut = Array(bytes.prefix(Int.random(in: 0...bytes.count, using: &random)))
            for damaged in [bytes, cut] {
                var request = GRPCRequest(limit: 4_000, encoding: .gzip)
                guard (try? request.append(framed(damaged))) != nil, let message = try? request.message() else { continue }
                #expect((message.unpackedCount ?? 0) <= 4_000)
                if let unpacked = try? message.unpacked() { #expect(unpacked.readableBytes == message.unpackedCount) }
            }
        }
    }
}
