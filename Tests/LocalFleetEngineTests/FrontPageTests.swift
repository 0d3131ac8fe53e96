import FleetEngine
import FleetEngineAccess
import FoundationEssentials
import Testing

@testable import FleetEngineCore
@testable import LocalFleetEngine

@Suite("The front page of the provider API", .timeLimit(.minutes(1)))
struct FrontPageTests {
    private static let browser = (name: "Accept", value: "text/html,application/xhtml+xml,*/*;q=0.8")
    private static let trip = #"{"pickup":{"latitude":1,"longitude":2},"dropoff":{"latitude":1.01,"longitude":2.01}}"#

    @Test("a browser gets a page with the paths and the current trips; the page runs no script and loads nothing")
    func browser() async throws {
        try await ProviderHarness.with { harness in
            let before = try await harness.ask("GET", "/", headers: [Self.browser])
            #expect(before.status == 200 && before.text.contains("There are no trips at the moment."))
            #expect(try await harness.ask("POST", "/trip/new", Self.trip).status == 200)
            let answer = try await harness.ask("GET", "/", headers: [Self.browser])
            #expect(answer.headers("content-type") == "text/html; charset=utf-8")
            #expect(answer.headers("content-security-policy")?.hasPrefix("default-src 'none';") == true)
            #expect(answer.headers("cache-control") == "no-store" && answer.headers("vary") == "Accept")
            let about = "the path that a car with a phone has driven"
            for text in ["/trip/new", "/vehicles", "/v1/", "providers/plain/trips/t1", "NEW, no vehicle", about] {
                #expect(answer.text.contains(text), "\(text): \(answer.text)")
            }
            #expect(!answer.text.contains("<script") && !answer.text.contains("src="))
        }
    }

    @Test("programs get JSON with sorted keys and unescaped slashes", arguments: ["application/json", nil])
    func json(accept: String?) async throws {
        struct Page: Decodable {
            struct Trip: Decodable {
                let name: String
                let status: String
            }
            let provider: String
            let trips: [Trip]
        }
        try await ProviderHarness.with { harness in
            #expect(try await harness.ask("POST", "/trip/new", Self.trip).status == 200)
            let answer = try await harness.ask("GET", "/", headers: accept.map { [(name: "Accept", value: $0)] } ?? [])
            #expect(answer.status == 200 && answer.headers("content-type") == "application/json; charset=utf-8")
            let page = try JSONDecoder().decode(Page.self, from: Data(answer.text.utf8))
            #expect(page.provider == "plain" && page.trips.map(\.name) == ["providers/plain/trips/t1"])
            #expect(page.trips.first?.status == "NEW")
            #expect(answer.text.hasPrefix("{\"about\":") && !answer.text.contains("\\/"))
        }
    }

    @Test("if a key is required, the page shows no trips without it")
    func guarded() async throws {
        try await ProviderHarness.with(gate: openGate()) { harness in
            let key = (name: "Authorization", value: "Bearer desk-key")
            #expect(try await harness.ask("POST", "/trip/new", Self.trip, headers: [key]).status == 200)
            for accept in ["text/html", "application/json"] {
                let headers = [(name: "Accept", value: accept)]
                let open = try await harness.ask("GET", "/", headers: headers)
                #expect(open.status == 200 && !open.text.contains("trips/t1"), "\(open.text)")
                let admitted = try await harness.ask("GET", "/", headers: headers + [key])
                #expect(admitted.status == 200 && admitted.text.contains("trips/t1"), "\(admitted.text)")
            }
        }
    }

    @Test("names from outside appear on the page as text, not as markup")
    func escaped() {
        let trip = FrontPage.Trip(name: "providers/p/trips/<script>alert('1')</script>", status: "NEW", vehicle: "a\"&\u{202E}b\u{1B}[31m")
        let html = FrontPage(provider: "<b>", trips: [trip]).html
        #expect(html.contains("providers/p/trips/&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;"))
        #expect(html.contains("a&quot;&amp;b [31m") && html.contains("<code>&lt;b&gt;</code>"))
        #expect(!html.contains("<script") && !html.contains("\u{1B}") && !html.contains("\u{202E}"))
    }

    @Test("the newest trips are listed, and no more than the limit")
    func bounded() async throws {
        try await ProviderHarness.with { harness in
            for _ in 0..<FrontPage.tripLimit + 3 {
                let answer = try await harness.ask("POST", "/trip/new", Self.trip)
                #expect(answer.status == 200)
            }
            let trips = FrontPage.trips(of: await harness.engine.snapshot)
            #expect(trips.count == FrontPage.tripLimit && trips.first?.name == "providers/plain/trips/t\(FrontPage.tripLimit + 3)")
        }
    }
}
