import FleetEngine
import FoundationEssentials
import Geo
import HTTPCalls
public import Routing
import Synchronization

/// Gets routes from an OSRM or Valhalla server over HTTP.
///
/// The steps, the speed limits and the segments' times come from the router. The segments' times are scaled to the leg's time.
///
/// At most four requests run at once; further requests wait. A request may take four seconds, including its wait.
///
/// A failure of the router starts a pause, in which all requests fail immediately. Each further failure makes the next pause longer
/// (`RetryPace`). The router's `Retry-After` can also make a pause longer, up to an hour.
public final class WebRouter: Router {
    /// Largest distance between a requested coordinate and the nearest road of the router, in metres.
    public static let reachMeters = 1_000.0
    /// Time limit for an answer, in seconds.
    public static let limitSeconds = 4.0
    /// Time after which a cancelled request without an answer counts as a failure of the router, in seconds.
    private static let slowSeconds = 1.0
    /// Largest size of an answer, in bytes.
    public static let largestAnswer = 32 << 20
    /// Maximum number of JSON values in an answer. A route of 500,000 points has up to 1,500,000 values: times, distances and speeds.
    public static let maximumValueCount = 3_000_000

    /// The name of the router: `OSRM` or `Valhalla`.
    public var name: String { address.kind.name }
    /// The address of the router.
    public let address: WebRouterAddress
    private let caFile: String?
    private let time: any TimeSource
    private let rest: Mutex<RouterRest>

    /// - Parameter caFile: path of a file with PEM certificates that are trusted in addition to the system's certificates.
    public convenience init(_ address: WebRouterAddress, caFile: String? = nil) {
        self.init(address, caFile: caFile, time: SystemTimeSource())
    }

    init(_ address: WebRouterAddress, caFile: String? = nil, time: any TimeSource) {
        self.address = address
        self.caFile = caFile
        self.time = time
        rest = Mutex(RouterRest(seed: UInt64.random(in: 0...UInt64.max)))
    }

    /// Requests a single route through all destinations. The route begins and ends on roads.
    /// - Throws: `RoutingError`, with the time of the next attempt if that time is known.
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
            // The caller has waited a while and then cancelled, so the router counts as one that does not answer.
            throw note(.noAnswer("does not answer in time"))
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
            // Perhaps no road at the start leads in the vehicle's direction, so the next request leaves out the course.
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
            default: throw .noAnswer("\(error.predicate) (\(error.words))")
            }
        }
        guard answer.status == 200 else {
            throw RouteAnswer.refusal(
                status: answer.status, answer.body, askedSeconds: answer.retryAfterSeconds(now: time.now()))
        }
        return try RouteAnswer.route(answer.body, for: request, planner: name)
    }

    /// Sends a request. Repeats it once if the router has closed the connection that was kept open.
    private func send(_ exchange: HTTPExchange) async throws(HTTPFailure) -> HTTPExchange.Answer {
        do throws(HTTPFailure) {
            return try await exchange.send(time)
        } catch {
            guard error.kind == .broken else { throw error }
            return try await exchange.send(time)
        }
    }
}
