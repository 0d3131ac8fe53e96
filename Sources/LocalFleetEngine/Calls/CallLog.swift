import FleetEngine
import FleetEngineAccess
import Hummingbird
public import Logging

/// Writes down each call that an engine answers: rpc, name, code and milliseconds. No header and no token is in it.
public struct CallLog: CallObserver {
    private let log: Logger

    /// A log of calls at level `info`.
    public init(_ log: Logger) { self.log = log }

    /// Writes one event.
    public func note(_ call: AnsweredCall) {
        var metadata: Logger.Metadata = [
            "rpc": "\(call.rpc.name)", "code": "\(call.code.name)", "ms": "\(Int((call.seconds * 1_000).rounded()))",
        ]
        if let subject = call.subject { metadata["name"] = "\(subject)" }
        log.info("call", metadata: metadata)
    }
}

/// Writes down each request to the provider's desk: method, path, status and milliseconds. No header, query, token or key is in it.
struct RequestLog<Context: RequestContext>: RouterMiddleware {
    let log: Logger

    func handle(_ request: Request, context: Context, next: (Request, Context) async throws -> Response) async throws -> Response {
        let start = ContinuousClock.now
        do {
            let response = try await next(request, context)
            note(request, response.status.code, since: start)
            return response
        } catch {
            note(request, (error as? any HTTPResponseError)?.status.code ?? 500, since: start)
            throw error
        }
    }

    private func note(_ request: Request, _ status: Int, since start: ContinuousClock.Instant) {
        let milliseconds = Int(((.now - start) / .milliseconds(1)).rounded())
        log.info(
            "request",
            metadata: [
                "method": "\(request.method)", "path": "\(PhonePath.shown(request.uri.path))", "status": "\(status)",
                "ms": "\(milliseconds)",
            ])
    }
}
