import FleetEngine
import FoundationEssentials
import Geo
import Routing
import Testing
import TripTesting

@testable import WebRouting

@Suite("A router on the network", .timeLimit(.minutes(2)))
struct WebRouterTests {
    private let time = ManualTimeSource()

    private func router(_ kind: WebRouterAddress.Kind, _ url: String) throws -> WebRouter {
        WebRouter(try #require(WebRouterAddress(kind, url: url)), time: time)
    }

    private func failure(_ router: WebRouter, _ request: RouteRequest = RouteAnswerTests.vaduz) async -> RoutingError? {
        do throws(RoutingError) {
            _ = try await router.route(request)
            return nil
        } catch { return error }
    }

    @Test("a request to OSRM has longitude first, asks for everything useful, and has the key of the address")
    func osrm() async throws {
        let body = try String(decoding: RouteAnswerTests.fixture("osrm-monaco"), as: UTF8.self)
        try await ScriptedHTTPServer.with { _, _ in
            .reply(200, body)
        } _: { server in
            let router = try router(.osrm, server.address + "/?key=secret")
            #expect(try await router.route(RouteAnswerTests.monaco).planner == "OSRM")
            var moving = RouteAnswerTests.request((-0.0000004, -7.5), (0.25, 0))
            moving.originCourseDegrees = 359.7
            _ = await failure(router, moving)
            #expect(
                server.requests.map(\.path) == [
                    "/route/v1/driving/7.421500,43.734500;7.423000,43.735200;7.424000,43.736000"
                        + "?steps=true&annotations=duration,distance&overview=full&geometries=polyline6&key=secret",
                    "/route/v1/driving/-7.500000,0.000000;0.000000,0.250000"
                        + "?steps=true&annotations=duration,distance&overview=full&geometries=polyline6&bearings=359,60;&key=secret",
                ])
        }
    }

    @Test("a request to Valhalla asks for OSRM's form with figures for each segment; if no road leads on, the course is left out")
    func valhalla() async throws {
        let body = try String(decoding: RouteAnswerTests.fixture("valhalla-vaduz"), as: UTF8.self)
        try await ScriptedHTTPServer.with { request, _ in
            request.body.contains("heading")
                ? .reply(400, #"{"error_code":171,"error":"No suitable edges near location"}"#) : .reply(200, body)
        } _: { server in
            let router = try router(.valhalla, server.address)
            var request = RouteAnswerTests.vaduz
            request.originCourseDegrees = 90
            #expect(try await router.route(request).planner == "Valhalla")
            #expect(server.requests.map(\.path) == ["/route", "/route"] && server.requests.allSatisfy { $0.method == "POST" })
            let bodies = server.requests.map(\.body)
            #expect(bodies[0].contains(#""heading":90"#) && bodies[0].contains(#""heading_tolerance":60"#))
            for part in [#""format":"osrm""#, #""shape_format":"polyline6""#, #""shape_attributes.time""#, #""lat":47.141"#] {
                #expect(bodies[1].contains(part), "\(bodies[1])")
            }
        }
    }

    @Test("a dead router is reported in one sentence without the key, and not asked again until its pause is over")
    func dead() async throws {
        let port = try UnansweredPort()
        let router = try router(.osrm, "http://127.0.0.1:\(port.number)/?key=secret")
        let error = try #require(await failure(router))
        #expect(error.description == "the router at http://127.0.0.1:\(port.number) does not answer (connection refused)")
        #expect(error.isRetryable && (4...6).contains(error.retryAfterSeconds ?? 0))
        time.advance(by: 1)
        let again = try #require(await failure(router))
        #expect(again.description == error.description && (3...5).contains(again.retryAfterSeconds ?? 0))
    }

    @Test("a router that fails is asked once until its pause is over, and then again")
    func rest() async throws {
        let body = try String(decoding: RouteAnswerTests.fixture("valhalla-vaduz"), as: UTF8.self)
        try await ScriptedHTTPServer.with { _, count in
            count == 0 ? .reply(503, "") : .reply(200, body)
        } _: { server in
            let router = try router(.valhalla, server.address)
            #expect(await failure(router)?.description == "the router at \(server.address) answers with HTTP 503")
            for _ in 0..<20 { #expect(await failure(router) != nil) }
            #expect(server.requests.count == 1)
            time.advance(by: 7)
            #expect(await failure(router) == nil)
            #expect(server.requests.count == 2)
        }
    }

    @Test(
        "a router that states when to retry is not asked until then: in seconds, as a date",
        arguments: [(429, false), (503, true)])
    func retryAfter(status: Int, isDate: Bool) async throws {
        let body = try String(decoding: RouteAnswerTests.fixture("valhalla-vaduz"), as: UTF8.self)
        let header = isDate ? Self.date(time.now().addingTimeInterval(600)) : "600"
        try await ScriptedHTTPServer.with { _, count in
            count == 0 ? .reply(status, headers: [("retry-after", header)], "") : .reply(200, body)
        } _: { server in
            let router = try router(.valhalla, server.address)
            let error = try #require(await failure(router))
            // The server states the time as an HTTP date, which has only whole seconds.
            #expect(error.isRetryable && (599...600).contains(error.retryAfterSeconds ?? 0), "\(error.retryAfterSeconds ?? 0)")
            time.advance(by: 598)
            #expect(await failure(router)?.description == error.description)
            #expect(server.requests.count == 1)
            time.advance(by: 3)
            #expect(await failure(router) == nil)
            #expect(server.requests.count == 2)
        }
    }

    /// Returns the date in HTTP's format.
    private static func date(_ date: Date) -> String {
        let parts = date.ISO8601Format().split { "-T:Z".contains($0) }
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        guard parts.count == 6, let month = Int(parts[1]), months.indices.contains(month - 1) else { return "" }
        return "Mon, \(parts[2]) \(months[month - 1]) \(parts[0]) \(parts[3]):\(parts[4]):\(parts[5]) GMT"
    }

    @Test("a missing route is not a failure of the router: the next route is requested at once")
    func noWay() async throws {
        try await ScriptedHTTPServer.with { _, _ in
            .reply(400, #"{"code":"NoRoute","message":"Impossible route between points"}"#)
        } _: { server in
            let router = try router(.osrm, server.address)
            for count in 1...3 {
                let error = await failure(router)
                #expect(
                    error?.description == "the router at \(server.address) found no route (Impossible route between points)"
                        && error?.isRetryable == false)
                #expect(server.requests.count == count)
            }
        }
    }

    @Test(
        "a failure instead of an answer is one sentence",
        arguments: [
            (ScriptedHTTPServer.Answer.hangUp, "gave no usable answer (it closed the connection)"),
            (
                .bytes("HTTP/1.1 200 OK\r\ncontent-length: 500\r\n\r\n{\"code\":"),
                "gave no usable answer (it closed the connection before the end of its answer)"
            ),
            (.bytes("220 mail ready\r\n"), "gave no usable answer (it does not speak HTTP)"),
            (.reply(200, type: "text/html", "<html>Log in</html>"), "is not a route (it is not JSON in OSRM's format)"),
            (.reply(302, headers: [("location", "http://127.0.0.1/")], ""), "answers with HTTP 302"),
            (.reply(401, #"{"message":"Not \#u{1b}[31mauthorised"}"#), "answers with HTTP 401"),
            (.stall("HTTP/1.1 200 OK\r\ncontent-length: 1073741824\r\n\r\n{"), "is too large"),
        ])
    func sad(answer: ScriptedHTTPServer.Answer, words: String) async throws {
        try await ScriptedHTTPServer.with { _, _ in
            answer
        } _: { server in
            let error = try #require(await failure(try router(.osrm, server.address)))
            #expect(error.description.contains(words), "\(error)")
            #expect(!error.description.contains("\u{1b}"))
        }
    }

    @Test("an endless answer is read up to the limit")
    func endless() async throws {
        let much = "HTTP/1.1 200 OK\r\n\r\n" + String(repeating: " ", count: WebRouter.largestAnswer + 1)
        try await ScriptedHTTPServer.with { _, _ in
            .stall(much)
        } _: { server in
            let router = try router(.osrm, server.address)
            let error = try #require(await failure(router))
            #expect(error.description.hasSuffix("is too large"), "\(error)")
        }
    }

    @Test("a silent router has four seconds")
    func slow() async throws {
        try await ScriptedHTTPServer.with { _, _ in
            .stall("HTTP/1.1 200 OK\r\n")
        } _: { server in
            let router = try router(.osrm, server.address)
            async let error = failure(router)
            await server.waitForRequests()
            await time.waitForSleepers()
            time.advance(by: 4)
            #expect(await error?.description == "the router at \(server.address) does not answer (no answer within 4 s)")
        }
    }

    @Test("if a caller gives up after a second, that counts as a failure of the router")
    func givenUp() async throws {
        try await ScriptedHTTPServer.with { _, _ in
            .stall("")
        } _: { server in
            let router = try router(.osrm, server.address)
            let task = Task { await failure(router) }
            await server.waitForRequests()
            await time.waitForSleepers()
            time.advance(by: 2)
            task.cancel()
            #expect(await task.value?.isRetryable == true)
            #expect(await failure(router)?.description.contains("does not answer in time") == true)
            #expect(server.requests.count == 1)
        }
    }

    @Test("no request is sent for invalid places")
    func invalid() async throws {
        try await ScriptedHTTPServer.with { _, _ in
            .hangUp
        } _: { server in
            let router = try router(.osrm, server.address)
            let origin = Coordinate(latitude: 50, longitude: 8)
            for request in [RouteRequest(origin: origin, destinations: []), RouteAnswerTests.request((.nan, 8), (50, 8))] {
                #expect(await failure(router, request)?.isRetryable == false)
            }
            #expect(server.requests.isEmpty)
        }
    }

    @Test("an address is an http or https URL without name, password and fragment, shown without path and query")
    func addresses() throws {
        for text in [
            "", "localhost:5000", "ftp://a", "http://", "http://u:p@a", "http://u@a", "http://a#b", "http://a b", "http://a:99999",
        ] {
            #expect(WebRouterAddress(.osrm, url: text) == nil, "\(text)")
        }
        let bases = [
            (WebRouterAddress.Kind.osrm, "http://127.0.0.1:5000", "http://127.0.0.1:5000/route/v1/driving"),
            (.osrm, "https://r.example/routed-car/route/v1/car/", "https://r.example/routed-car/route/v1/car"),
            (.valhalla, "https://r.example/valhalla", "https://r.example/valhalla/route"),
            (.valhalla, "https://r.example/route/v1?api_key=secret", "https://r.example/route/v1"),
        ]
        for (kind, text, base) in bases {
            let address = try #require(WebRouterAddress(kind, url: text))
            #expect(address.base == base && !address.description.contains("secret") && !"\(address.description)".contains("route"))
        }
    }
}
