import FleetEngine
import FleetEngineAccess
import Hummingbird
public import Logging

/// Logs each call that an engine answers: RPC, name (of the trip, vehicle, task, shipment or provider), status code, duration in
/// milliseconds, and caller. A log line contains no header and no token.
public struct CallLog: CallObserver {
    private let log: Logger

    /// Creates a log of calls at level `info`.
    public init(_ log: Logger) { self.log = log }

    /// Logs an answered call.
    public func note(_ call: AnsweredCall) {
        var metadata: Logger.Metadata = [
            "rpc": "\(call.rpc.name)", "code": "\(call.code.name)", "ms": "\(Int((call.seconds * 1_000).rounded()))",
        ]
        if let subject = call.subject { metadata["name"] = "\(subject)" }
        metadata.note(call.source)
        log.info("call", metadata: metadata)
    }
}

extension Logger.Metadata {
    /// Adds a caller's address, account and key name, if they are known.
    fileprivate mutating func note(_ source: CallSource) {
        if let address = source.remoteIP { self["address"] = "\(address)" }
        guard let name = source.name else { return }
        self["account"] = "\(name.account)"
        self["key"] = "\(name.keyID)"
    }
}

/// Logs each request to the HTTP port: method, path, status, duration in milliseconds, and caller. A log line contains no
/// header, query, token or key.
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
        var metadata: Logger.Metadata = [
            "method": "\(request.method)", "path": "\(PhonePath.shown(request.uri.path))", "status": "\(status)",
            "ms": "\(milliseconds)",
        ]
        if let caller = HTTPCaller.current { metadata.note(caller.source) }
        log.info("request", metadata: metadata)
    }
}
