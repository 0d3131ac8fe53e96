import FleetEngine
import FleetEngineAccess
import FoundationEssentials
import SwiftProtobuf

extension LocalFleetEngine {
    /// The one way in which calls are answered, whoever makes them: first whose they are, then what they ask and whether that is allowed,
    /// then the engine.
    ///
    /// - Parameters:
    ///   - grant: what the caller's token allows; nil allows everything.
    ///   - request: reads what is asked.
    ///   - work: what answers it, where that is not the call of the engine.
    private nonisolated func answer<Request: EngineRequest>(
        grant: () async throws -> AccessGrant?, _ request: () async throws -> Request,
        by work: (Request, AccessGrant?) async throws -> Request.Answer
    ) async throws -> Request.Answer {
        let start = ContinuousClock.now
        var asked: Request?
        do {
            let grant = try await grant()
            let request = try await request()
            asked = request
            if let grant { try await check(grant, for: request.call) }
            let made = MadeCalls()
            var answer = try await MadeCalls.$kept.withValue(made) { try await work(request, grant) }
            if let grant { Request.hide(in: &answer, from: grant) }
            note(asked, .success(answer), since: start)
            note(made.all, since: start)
            return answer
        } catch {
            note(asked, .failure(error), since: start)
            throw error
        }
    }

    /// Answers a call that comes from outside, as far as no fault is planned for it.
    /// - Parameter address: where it comes from, as far as that is known; the searches of one address wait for each other.
    nonisolated func answer<Request: EngineRequest>(
        from address: CallerAddress? = nil, grant: () async throws -> AccessGrant? = { nil }, _ request: () async throws -> Request
    ) async throws -> Request.Answer {
        try await answer(grant: grant, request) { request, grant in
            try await meetFaults(of: Request.rpc)
            guard Request.rpc.isSearch else { return try await request.carryOut(by: self, for: grant?.email ?? EngineAccount.anonymous) }
            return try await searches.run(Caller(grant, address)) { try await request.carryOut(by: self) }
        }
    }

    /// Judges the token of a call whose message has not come; a refusal is told like any other.
    nonisolated func admit<Request: EngineRequest>(_: Request.Type, grant: () async throws -> AccessGrant) async throws {
        let start = ContinuousClock.now
        do {
            _ = try await grant()
        } catch {
            note(nil as Request?, .failure(error), since: start)
            throw error
        }
    }

    /// Answers a call that comes from this process.
    nonisolated func answer<Request: EngineRequest>(
        _ request: Request, by work: (@Sendable (Request) async throws(FleetEngineError) -> Request.Answer)? = nil
    ) async throws(FleetEngineError) -> Request.Answer {
        do {
            return try await answer(grant: { nil }, { request }) { request, _ in
                guard let work else { return try await request.carryOut(by: self) }
                return try await work(request)
            }
        } catch let error as FleetEngineError {
            throw error
        } catch {
            throw FleetEngineError(code: StatusCode(ofRefusal: error), message: "\(error)")
        }
    }

    /// Tells of calls that the engine made itself: after the call on whose way they were made, or else at once.
    nonisolated func keep(_ made: [MadeCall]) {
        guard !made.isEmpty else { return }
        if let kept = MadeCalls.kept { kept.keep(made) } else { note(made, since: .now) }
    }

    /// Tells of calls that the engine made itself.
    nonisolated func note(_ made: [MadeCall], since start: ContinuousClock.Instant) {
        for call in made { note(type(of: call.request).rpc, call.request, call.result.mapError { $0 }, since: start) }
    }

    private nonisolated func note<Request: EngineRequest>(
        _ request: Request?, _ result: Result<Request.Answer, any Error>, since start: ContinuousClock.Instant
    ) {
        note(Request.rpc, request, result.map { $0 }, since: start)
    }

    private nonisolated func note(
        _ rpc: EngineRPC, _ request: (any EngineRequest)?, _ result: Result<any Message, any Error>, since start: ContinuousClock.Instant
    ) {
        let seconds = (.now - start) / .seconds(1)
        let code = if case .failure(let error) = result { StatusCode(ofRefusal: error) } else { StatusCode.ok }
        metrics.note(rpc, code, seconds: seconds)
        guard !callObservers.isEmpty else { return }
        let call = AnsweredCall(rpc: rpc, moment: time.now(), seconds: seconds, code: code, request: request, result: result)
        for observer in callObservers { observer.note(call) }
    }
}
