import FleetEngineAccess
import FleetEngineCore
import FoundationEssentials
import GRPCServing
import LocalFleetEngine
import NIOCore
import NIOHPACK

extension FuzzTarget {
    /// The readers of calls to the server. Each input consists of several calls to a new engine.
    static let calls = [rest, grpc, grpcFrames, grpcHead, token]

    private static let clock = StoppedClock(date: Date(timeIntervalSince1970: 1_935_756_120))

    private static let rest = FuzzTarget(
        "rest",
        seeds: [
            """
            POST /v1/providers/p/vehicles?vehicleId=v
            \(TripSeeds.vehicle)
            POST /v1/providers/p/trips?tripId=t
            {"tripType":"EXCLUSIVE","numberOfPassengers":2,"pickupPoint":{"point":{"latitude":-36,"longitude":-20}}}
            PUT /v1/providers/p/trips/t?updateMask=vehicleId,tripStatus
            {"vehicleId":"v","tripStatus":"ENROUTE_TO_PICKUP"}
            PUT /v1/providers/p/vehicles/v?updateMask=lastLocation
            {"lastLocation":{"location":{"latitude":-36,"longitude":-20},"heading":3}}
            GET /v1/providers/p/trips/t?$alt=json;enum-encoding=int&view=SDK

            GET /v1/providers/p/vehicles?vehicleTypeCategories=AUTO&pageSize=1&viewport.low.latitude=1.5&filter=attributes.plate%3D%22x%22

            POST /v1/providers/p/vehicles:search
            {"pickupPoint":{"point":{"latitude":-36,"longitude":-20}},"pickupRadiusMeters":1000,"count":5,"minimumCapacity":1,"tripTypes":["EXCLUSIVE"]}
            """,
            """
            POST /v1/providers/p/tasks?taskId=t
            \(TripSeeds.task)
            POST /v1/providers/p/deliveryVehicles?deliveryVehicleId=v
            {"type":"AUTO"}
            PATCH /v1/providers/p/deliveryVehicles/v?updateMask=remainingVehicleJourneySegments
            \(TripSeeds.stops)
            GET /v1/providers/p/taskTrackingInfo/p1

            PATCH /v1/providers/p/tasks/t?updateMask=taskOutcome
            {"taskOutcome":1}
            """,
        ],
        words: json + [
            "\n", "GET /v1/", "POST /v1/", "trips", "vehicles", "tasks", ":search", "?", "&", "=", "%", "updateMask=", "filter=", "/",
        ]
    ) { input, _ in
        let face = RESTFace(engine: LocalFleetEngine(time: clock), gate: nil)
        let lines = String(decoding: input, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
        for start in stride(from: 0, to: min(lines.count, 20), by: 2) {
            let words = lines[start].split(separator: " ", maxSplits: 1)
            let address = words.count == 2 ? words[1].split(separator: "?", maxSplits: 1) : []
            guard let method = words.first, let path = address.first, let call = try? RESTCall(method: String(method), path: String(path))
            else { continue }
            let body = start + 1 < lines.count ? Array(lines[start + 1].utf8) : []
            let query = address.count > 1 ? String(address[1]) : nil
            _ = try? await face.answer(RESTFace.Input(call: call, authorization: nil, query: query) { body })
        }
    }

    /// Calls over gRPC. Each call consists of the number of its RPC and a message with gRPC's prefix. The message may be compressed.
    private static let grpc = FuzzTarget(
        "grpc", bytes: TripSeeds.calls,
        words: ["providers/p", "providers/p/trips/t", "vehicle_id", "\u{1}\u{0}\u{0}\u{0}\u{12}", "t", "v"]
    ) { input, _ in
        let methods = EngineMethods(engine: LocalFleetEngine(time: clock), gate: nil).all
        let paths = methods.keys.sorted()
        let head = try GRPCCallHead([":method": "POST", ":path": "/", "content-type": "application/grpc", "grpc-encoding": "gzip"])
        var rest = ByteBuffer(bytes: input)
        for _ in 0..<12 {
            guard let number = rest.readInteger(as: UInt8.self), rest.readableBytes >= 5 else { return }
            let length = rest.getInteger(at: rest.readerIndex + 1, as: UInt32.self).map { Int($0) } ?? 0
            var request = GRPCRequest(limit: 1 << 20, encoding: .gzip)
            for size in [min(rest.readableBytes, 3), min(rest.readableBytes - 3, length + 2)] {
                if let part = rest.readSlice(length: size) { try request.append(part) }
            }
            let message = try request.message().unpacked()
            guard let method = methods[paths[Int(number) % paths.count]], case .unary(let answer) = method.work else { continue }
            _ = try? await answer(head, message)
        }
    }

    /// A call's message, which arrives in parts. The first byte of the input sets the size of the parts.
    private static let grpcFrames = FuzzTarget(
        "grpc-frames", bytes: { TripSeeds.calls() + TripSeeds.packedCalls() },
        words: ["\u{0}\u{0}\u{0}\u{0}\u{0}", "\u{1}\u{0}\u{0}\u{0}\u{2}", "\u{0}\u{0}\u{1}\u{0}\u{1}", "providers/p", "\u{2}"]
    ) { input, _ in
        guard let first = input.first else { throw RefusedInput() }
        let bytes = ByteBuffer(bytes: input.dropFirst())
        let whole = outcome(of: bytes, inPartsOf: .max)
        guard outcome(of: bytes, inPartsOf: Int(first) + 1) == whole else {
            throw FuzzFault(rule: "a call in parts has another message, or is refused for another reason")
        }
        guard whole.message.count <= largestMessage else { throw FuzzFault(rule: "a message is larger than the limit") }
        guard whole.refusal.isEmpty else { throw RefusedInput() }
    }

    private static let largestMessage = 1 << 16

    /// Returns the message of a call that arrives in parts of this size, or the reason for its refusal.
    private static func outcome(of call: ByteBuffer, inPartsOf size: Int) -> (message: [UInt8], refusal: String) {
        var request = GRPCRequest(limit: largestMessage, encoding: .gzip)
        var rest = call
        do {
            while rest.readableBytes > 0, let part = rest.readSlice(length: min(size, rest.readableBytes)) { try request.append(part) }
            return (Array(buffer: try request.message().unpacked()), "")
        } catch {
            return ([], "\(error)")
        }
    }

    private static let grpcHead = FuzzTarget(
        "grpc-head",
        seeds: [
            ":method: POST\n:path: /a/b\ncontent-type: application/grpc+proto\ngrpc-timeout: 100m\ngrpc-encoding: gzip\n"
                + "grpc-accept-encoding: identity, gzip\nauthorization: Bearer a.b.c"
        ], words: ["\n", ": ", "grpc-timeout: ", "99999999H", "n", ";", ",", "application/grpc"]
    ) { input, _ in
        var headers = HPACKHeaders()
        for line in String(decoding: input, as: UTF8.self).split(separator: "\n") {
            let name = line.hasPrefix(":") ? ":" + line.dropFirst().prefix { $0 != ":" } : String(line.prefix { $0 != ":" })
            // NIO refuses names with non-ASCII characters before this code receives them.
            guard name.utf8.allSatisfy({ $0 < 0x80 }) else { continue }
            headers.add(name: name, value: String(line.dropFirst(name.count + 2)))
        }
        _ = try GRPCCallHead(headers)
    }
}
