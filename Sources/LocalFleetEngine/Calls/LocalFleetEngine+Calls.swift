import FleetEngine
import FleetEngineAccess
import FleetEngineCore
import FoundationEssentials
import SwiftProtobuf

extension LocalFleetEngine {
    /// Returns the rights of the caller's token, nil for all rights, and records the caller in the source.
    typealias Granting = (inout CallSource) async throws -> AccessGrant?

    /// Answers a call from any source. Checks the caller first, then the request and the caller's rights, and then carries out the request.
    ///
    /// - Parameters:
    ///   - source: origin of the call; nil for the HTTP request that is being answered, if any.
    ///   - grant: returns the rights of the caller's token, and its account; nil allows everything.
    ///   - request: reads the request.
    ///   - work: answers the request, for a caller with these rights and this source.
    private nonisolated func answer<Request: EngineRequest>(
        from source: CallSource?, grant: Granting, _ request: () async throws -> Request,
        by work: (Request, AccessGrant?, CallSource) async throws -> Request.Answer
    ) async throws -> Request.Answer {
        let start = ContinuousClock.now
        var source = source ?? HTTPCaller.current?.source ?? CallSource()
        var asked: Request?
        do {
            let grant = try await grant(&source)
            let request = try await request()
            asked = request
            if let grant { try await check(grant, for: request.call) }
            let made = MadeCalls()
            var answer = try await MadeCalls.$kept.withValue(made) { [source] in try await work(request, grant, source) }
            if let grant { Request.hide(in: &answer, from: grant) }
            note(asked, .success(answer), from: source, since: start)
            note(made.all, from: source, since: start)
            return answer
        } catch {
            note(asked, .failure(error), from: source, since: start)
            throw error
        }
    }

    /// Answers a call from outside, unless a planned fault refuses it.
    /// - Parameter source: origin of the call; nil for the HTTP request that is being answered.
    nonisolated func answer<Request: EngineRequest>(
        from source: CallSource? = nil, grant: Granting = { _ in nil }, _ request: () async throws -> Request
    ) async throws -> Request.Answer {
        try await answer(from: source, grant: grant, request) { request, grant, source in
            try await meetFaults(of: Request.rpc)
            let account = grant?.email ?? EngineAccount.anonymous
            return try await callers.run(Caller(grant, source)) { try await request.carryOut(by: self, for: account) }
        }
    }

    /// Checks the token of a call before its message arrives. A refusal is reported like any other.
    nonisolated func admit<Request: EngineRequest>(_: Request.Type, from source: CallSource, grant: Granting) async throws {
        let start = ContinuousClock.now
        var source = source
        do {
            _ = try await grant(&source)
        } catch {
            note(nil as Request?, .failure(error), from: source, since: start)
            throw error
        }
    }

    /// Answers a call from this process: from its own code, or from the provider API over HTTP.
    nonisolated func answer<Request: EngineRequest>(
        _ request: Request, by work: (@Sendable (Request) async throws(FleetEngineError) -> Request.Answer)? = nil
    ) async throws(FleetEngineError) -> Request.Answer {
        do {
            return try await answer(from: nil, grant: { _ in nil }, { request }) { request, grant, source in
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

    /// Reports calls that the engine made itself, after the call that caused them, or at once if there is no such call.
    nonisolated func keep(_ made: [MadeCall]) {
        guard !made.isEmpty else { return }
        if let kept = MadeCalls.kept { kept.keep(made) } else { note(made, since: .now) }
    }

    /// Reports calls that the engine made itself, in the name of the caller that caused them.
    /// - Parameter source: origin of the caller's own call; nil for the HTTP request that is being answered, if any.
    nonisolated func note(_ made: [MadeCall], from source: CallSource? = nil, since start: ContinuousClock.Instant) {
        guard !made.isEmpty else { return }
        let source = source ?? HTTPCaller.current?.source ?? CallSource()
        for made in made {
            let call = made.request.call
            note(type(of: call).rpc, call, made.result.mapError { $0 }, from: source, since: start)
        }
    }

    private nonisolated func note<Request: EngineRequest>(
        _ request: Request?, _ result: Result<Request.Answer, any Error>, from source: CallSource, since start: ContinuousClock.Instant
    ) {
        note(Request.rpc, request, result.map { $0 }, from: source, since: start)
    }

    private nonisolated func note(
        _ rpc: EngineRPC, _ request: (any EngineRequest)?, _ result: Result<any Message, any Error>, from source: CallSource,
        since start: ContinuousClock.Instant
    ) {
        let seconds = (.now - start) / .seconds(1)
        let code = if case .failure(let error) = result { StatusCode(ofRefusal: error) } else { StatusCode.ok }
        metrics.note(rpc, code, seconds: seconds)
        guard !callObservers.isEmpty else { return }
        let call = AnsweredCall(
            rpc: rpc, moment: time.now(), seconds: seconds, code: code, source: source, request: request, result: result)
        for observer in callObservers { observer.note(call) }
    }
}
