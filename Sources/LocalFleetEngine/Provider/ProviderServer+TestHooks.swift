import FleetEngine
import FoundationEssentials
import Hummingbird
import NIOCore
import SwiftProtobuf

extension ProviderServer {
    /// Adds the routes for the test operations, below `/_tripwatch`.
    func addTestHooks(_ router: Router<BasicRequestContext>, _ hooks: TestHooks) {
        let routes = router.group("_tripwatch")
        routes.post("reset") { _, _ in
            await answerHook { () throws(FleetEngineError) in
                try await hooks.reset()
                phones.forgetWays()
                desk.deliveries.restart()
                return Array("{}".utf8)
            }
        }
        routes.get("state") { _, _ in
            await answerHook { () throws(FleetEngineError) in
                guard let text = try await hooks.state() else {
                    throw FleetEngineError(
                        code: .unavailable, message: "\(TestHooks.mostLoads) requests for the state are in progress: try again later",
                        details: [.retryInfo(delaySeconds: 1)])
                }
                return text
            }
        }
        routes.put("faults") { request, _ in
            let body = Array(try await collect(request).readableBytesView)
            return await answerHook { () throws(FleetEngineError) in
                let encoder = JSONEncoder()
                encoder.outputFormatting = .sortedKeys
                let rules = try await hooks.plan(json: body)
                return Array((try? encoder.encode(rules)) ?? Data("[]".utf8))
            }
        }
        routes.put("clock") { request, _ in
            let body = Array(try await collect(request).readableBytesView)
            return await answerHook { () throws(FleetEngineError) in
                let now = try await hooks.advance(json: body)
                await phones.passTime()
                return Array("{\"now\":\((try? now.jsonString()) ?? "null")}".utf8)
            }
        }
    }

    private func answerHook(_ make: () async throws(FleetEngineError) -> [UInt8]) async -> Response {
        do throws(FleetEngineError) {
            let body = ByteBuffer(bytes: try await make())
            return Response(
                status: .ok, headers: [.contentType: "application/json; charset=utf-8"], body: .init(byteBuffer: body))
        } catch {
            var response = Self.message(error.message, .init(code: error.code.httpStatus))
            if let seconds = error.retryDelaySeconds, seconds.isFinite {
                response.headers[.retryAfter] = String(Int(min(max(seconds, 0), 86_400).rounded(.up)))
            }
            return response
        }
    }
}
