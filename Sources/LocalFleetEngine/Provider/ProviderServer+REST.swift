import FleetEngine
import FleetEngineAccess
import FoundationEssentials
import HTTPServing
import Hummingbird
import NIOCore

extension ProviderServer {
    /// Adds the routes of Fleet Engine's own API, below `/v1`.
    func addREST(_ router: Router<BasicRequestContext>, _ face: RESTFace) {
        let methods: [HTTPRequest.Method] = [.get, .post, .put, .delete, .patch, .head, .options]
        for path in ["v1", "v1/**"] {
            for method in methods { router.on(RouterPath(path), method: method) { request, _ in await answer(request, face) } }
        }
    }

    private func answer(_ request: Request, _ face: RESTFace) async -> Response {
        do {
            let call = try await call(request, of: face)
            let input = RESTFace.Input(call: call, authorization: request.headers[.authorization], query: request.uri.query) {
                try await body(of: request)
            }
            return Self.restResponse(.ok, ByteBuffer(bytes: try await face.answer(input)))
        } catch let refusal as RESTRefusal {
            return Self.restResponse(refusal)
        } catch let error as FleetEngineError {
            return Self.restResponse(RESTRefusal(error))
        } catch {
            return Self.restResponse(RESTRefusal(FleetEngineError(code: .internal, message: "the answer cannot be written as JSON")))
        }
    }

    /// Returns the API call that a request makes. A request without a valid token gets the same refusal on every path, so that its sender
    /// cannot find out which paths exist.
    private func call(_ request: Request, of face: RESTFace) async throws -> RESTCall {
        do throws(RESTRefusal) {
            return try RESTCall(method: request.method.rawValue, path: request.uri.path)
        } catch {
            var source = HTTPCaller.current?.source ?? CallSource()
            _ = try await face.engine.grant(to: &source, by: face.gate, request.headers[.authorization])
            throw error
        }
    }

    private func body(of request: Request) async throws(RESTRefusal) -> [UInt8] {
        do {
            return Array(try await request.wholeBody(upTo: limits.bodyBytes).readableBytesView)
        } catch is NIOTooManyBytesError {
            let message = "the request has more than \(limits.bodyBytes) bytes"
            throw RESTRefusal(httpStatus: 413, error: FleetEngineError(code: .outOfRange, message: message))
        } catch let error as UnreadableBody {
            throw RESTRefusal(httpStatus: error.status.code, error: FleetEngineError(code: .invalidArgument, message: error.message))
        } catch {
            throw RESTRefusal(FleetEngineError(code: .cancelled, message: "the request was cut off"))
        }
    }

    private static func restResponse(_ refusal: RESTRefusal) -> Response {
        var response = restResponse(.init(code: refusal.httpStatus), ByteBuffer(bytes: RESTErrorBody(refusal).data))
        if !refusal.allowed.isEmpty { response.headers[.allow] = refusal.allowed.joined(separator: ", ") }
        response.addRetryAfter(refusal.error)
        return response
    }

    private static func restResponse(_ status: HTTPResponse.Status, _ body: ByteBuffer) -> Response {
        Response(status: status, headers: [.contentType: "application/json; charset=UTF-8"], body: .init(byteBuffer: body))
    }
}

extension Response {
    /// Adds `Retry-After` in whole seconds, if the engine's error contains a delay.
    mutating func addRetryAfter(_ error: FleetEngineError) {
        guard let seconds = error.retryDelaySeconds, seconds.isFinite else { return }
        headers[.retryAfter] = String(Int(min(max(seconds, 0), 86_400).rounded(.up)))
    }
}
