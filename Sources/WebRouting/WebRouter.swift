import FleetEngine
import FoundationEssentials
import Geo
import HTTPCalls
public import Routing
import Synchronization

/// Asks an OSRM or Valhalla server for routes, over HTTP.
///
/// Routes have the router's figures: its times for each segment, scaled to the leg's time, its steps, and its speed limits if it knows
/// them.
///
/// A request may take four seconds. At most four requests run at once. Others wait, and the wait counts towards their four seconds. After a
/// failure the router is not asked for a while, longer with each failure (`RetryPace`), and for as long as its `Retry-After` says (up to an
/// hour). Meanwhile callers get an error at once.
public final class WebRouter: Router {
    /// Largest distance between a place and the router's road, 1,000 m.
    public static let reachMeters = 1_000.0
    /// Time limit of an answer, seconds.
    public static let limitSeconds = 4.0
    /// Seconds without an answer after which a cancelled request counts as the router's failure.
    private static let slowSeconds = 1.0
    /// Size limit of an answer, bytes.
    public static let largestAnswer = 32 << 20

    /// Name of the router, `OSRM` or `Valhalla`.
    public var name: String { address.kind.name }
    /// Address of the router.
    public let address: WebRouterAddress
    private let caFile: String?
    private let time: any TimeSource
    private let rest: Mutex<RouterRest>

    /// - Parameter caFile: PEM certificates that are trusted in addition to the system's.
    public convenience init(_ address: WebRouterAddress, caFile: String? = nil) {
        self.init(address, caFile: caFile, time: SystemTimeSource())
    }

    init(_ address: WebRouterAddress, caFile: String? = nil, time: any TimeSource) {
        self.address = address
        self.caFile = caFile
        self.time = time
        rest = Mutex(RouterRest(seed: UInt64.random(in: 0...UInt64.max)))
    }

    /// Finds the route through all destinations in one request. It begins and ends on roads.
    /// - Throws: `RoutingError`, with the time of the next attempt if it is known.
    public func route(_ request: RouteRequest) async throws(RoutingError) -> PlannedRoute {
        do throws(RouterRest.Refusal) {
            try rest.withLock { rest throws(RouterRest.Refusal) in try rest.enter(now: time.now()) }
        } catch {
            throw error.cause.routingError(address, retryAfterSeconds: error.seconds)
        }
        let start = time.now()
        do throws(WebRoutingError) {
            let route = try await way(request)
            rest.withLock { $0.didAnswer() }
            return route
        } catch .cancelled where time.now().timeIntervalSince(start) >= Self.slowSeconds {
            // The caller stopped waiting for the router.
            throw note(.noAnswer("no answer in time"))
        } catch {
            throw note(error)
        }
    }

    private func note(_ error: WebRoutingError) -> RoutingError {
        let seconds: Double? = rest.withLock { rest in
            if error.isTrouble { return rest.didFail(error, now: time.now()) }
            if error == .cancelled || error == .invalidRequest { rest.didStop() } else { rest.didAnswer() }
            return nil
        }
        return error.routingError(address, retryAfterSeconds: error.isRetryable ? seconds : nil)
    }

    private func way(_ request: RouteRequest) async throws(WebRoutingError) -> PlannedRoute {
        let places = [request.origin] + request.destinations.map(\.coordinate)
        guard places.count > 1, places.allSatisfy(\.isValid) else { throw .invalidRequest }
        guard request.originCourseDegrees != nil else { return try await ask(request, mindingCourse: false) }
        do throws(WebRoutingError) {
            return try await ask(request, mindingCourse: true)
        } catch .noWay {
            // No road at the start leads in the car's direction, so the course is left out.
            return try await ask(request, mindingCourse: false)
        }
    }

    private func ask(_ request: RouteRequest, mindingCourse: Bool) async throws(WebRoutingError) -> PlannedRoute {
        let exchange = try RouteQuestion.exchange(request, to: address, mindingCourse: mindingCourse, caFile: caFile)
        let answer: HTTPExchange.Answer
        do throws(HTTPFailure) {
            answer = try await send(exchange)
        } catch {
            switch error.kind {
            case .cancelled: throw .cancelled
            case .tooLarge: throw .tooLarge
            default: throw .noAnswer(error.words)
            }
        }
        guard answer.status == 200 else {
            throw RouteAnswer.refusal(
                status: answer.status, answer.body, askedSeconds: answer.retryAfterSeconds(now: time.now()))
        }
        return try RouteAnswer.route(answer.body, for: request, planner: name)
    }

    /// Sends a request, and repeats it once if a kept connection was closed in the meantime.
    private func send(_ exchange: HTTPExchange) async throws(HTTPFailure) -> HTTPExchange.Answer {
        do throws(HTTPFailure) {
            return try await exchange.send(time)
        } catch {
            guard error.kind == .broken else { throw error }
            return try await exchange.send(time)
        }
    }
}
