import FleetEngine
import FleetEngineAccess
import FleetEngineCore
import FoundationEssentials
import SwiftProtobuf

extension LocalFleetEngine {
    /// A function that checks the caller's token, records the caller in the source, and returns the caller's rights; nil means
    /// all rights.
    typealias Granting = (inout CallSource) async throws -> AccessGrant?

    /// Answers a call. Before the request is decoded, the token must allow calls of this RPC; afterwards, it must allow this request.
    ///
    /// - Parameters:
    ///   - source: network address and caller; nil takes both from the HTTP request that is being answered, if any.
    ///   - pathName: the name in the path of a REST call. The log shows it if the call is refused after its token was accepted, but before
    ///     its request is read.
    ///   - grant: returns the rights and the account of the caller's token; a nil result allows everything.
    ///   - decode: returns the request and its call; if the returned call is nil, `request.call` is used.
    ///   - work: executes the request, for a caller with these rights.
    private nonisolated func answer<Request: EngineRequest>(
        from source: CallSource?, named pathName: String? = nil, grant: Granting, _ decode: () async throws -> (Request, EngineCall?),
        by work: (Request, AccessGrant?, CallSource) async throws -> Request.Answer
    ) async throws -> Request.Answer {
        let start = ContinuousClock.now
        var source = source ?? HTTPCaller.current?.source ?? CallSource()
        var asked: Request?
        var name: String?
        do {
            let grant = try await grant(&source)
            name = pathName
            if let grant { try Self.check(grant, mayCall: Request.rpc) }
            let (request, call) = try await decode()
            asked = request
            if let grant { try await check(grant, for: call ?? request.call) }
            let made = MadeCalls()
            var answer = try await MadeCalls.$kept.withValue(made) { [source] in try await work(request, grant, source) }
            if let grant { Request.hide(in: &answer, from: grant) }
            note(asked, .success(answer), from: source, since: start)
            note(made.all, from: source, since: start)
            return answer
        } catch {
            note(asked, named: name, .failure(error), from: source, since: start)
            throw error
        }
    }

    /// Answers a call from a client outside this process, unless a planned fault makes the call fail.
    /// - Parameters:
    ///   - source: network address and caller; nil takes both from the HTTP request that is being answered.
    ///   - pathName: the name in the path of a REST call.
    nonisolated func answer<Request: EngineRequest>(
        from source: CallSource? = nil, named pathName: String? = nil, grant: Granting = { _ in nil },
        _ decode: () async throws -> (Request, EngineCall?)
    ) async throws -> Request.Answer {
        try await answer(from: source, named: pathName, grant: grant, decode) { request, grant, source in
            try await meetFaults(of: Request.rpc)
            let account = grant?.email ?? EngineAccount.anonymous
            return try await callers.run(Caller(grant, source)) { try await request.carryOut(by: self, for: account) }
        }
    }

    /// Checks the token of a call before the call's message arrives. A refusal is logged and counted like any other refusal.
    nonisolated func admit<Request: EngineRequest>(_: Request.Type, from source: CallSource, grant: Granting) async throws {
        let start = ContinuousClock.now
        var source = source
        do {
            if let grant = try await grant(&source) { try Self.check(grant, mayCall: Request.rpc) }
        } catch {
            note(nil as Request?, .failure(error), from: source, since: start)
            throw error
        }
    }

    /// Answers a call that this process makes: in its own code, or to serve a request to the provider API.
    nonisolated func answer<Request: EngineRequest>(
        _ request: Request, by work: (@Sendable (Request) async throws(FleetEngineError) -> Request.Answer)? = nil
    ) async throws(FleetEngineError) -> Request.Answer {
        do {
            return try await answer(from: nil, grant: { _ in nil }, { (request, nil) }) { request, grant, source in
                try await callers.run(Caller(grant, source)) {
                    guard let work else { return try await request.carryOut(by: self) }
                    return try await work(request)
                }
            }
        } catch let error as FleetEngineError {
            throw error
        } catch {
            throw FleetEngineError(code: StatusCode(ofRefusal: error), message: "\(error)")
        }
    }

    /// Tells the call observers about the calls that the engine made itself. If another call caused them, they are reported after
    /// that call, otherwise at once.
    nonisolated func keep(_ made: [MadeCall]) {
        guard !made.isEmpty else { return }
        if let kept = MadeCalls.kept { kept.keep(made) } else { note(made, since: .now) }
    }

    /// Tells the call observers about the calls that the engine made itself. The observers see each of these calls as made by the caller
    /// that caused it.
    /// - Parameter source: that caller and its network address; nil takes both from the HTTP request that is being answered,
    ///   if any.
    nonisolated func note(_ made: [MadeCall], from source: CallSource? = nil, since start: ContinuousClock.Instant) {
        guard !made.isEmpty else { return }
        let source = source ?? HTTPCaller.current?.source ?? CallSource()
        for made in made {
            let call = made.request.call
            note(type(of: call).rpc, call, made.result.mapError { $0 }, from: source, since: start)
        }
    }

    private nonisolated func note<Request: EngineRequest>(
        _ request: Request?, named pathName: String? = nil, _ result: Result<Request.Answer, any Error>, from source: CallSource,
        since start: ContinuousClock.Instant
    ) {
        note(Request.rpc, request, named: pathName, result.map { $0 }, from: source, since: start)
    }

    private nonisolated func note(
        _ rpc: EngineRPC, _ request: (any EngineRequest)?, named pathName: String? = nil, _ result: Result<any Message, any Error>,
        from source: CallSource, since start: ContinuousClock.Instant
    ) {
        let seconds = (.now - start) / .seconds(1)
        let code = if case .failure(let error) = result { StatusCode(ofRefusal: error) } else { StatusCode.ok }
        metrics.note(rpc, code, seconds: seconds)
        guard !callObservers.isEmpty else { return }
        let call = AnsweredCall(
            rpc: rpc, moment: time.now(), seconds: seconds, code: code, source: source, request: request, pathName: pathName,
            result: result)
        for observer in callObservers { observer.note(call) }
    }
}
