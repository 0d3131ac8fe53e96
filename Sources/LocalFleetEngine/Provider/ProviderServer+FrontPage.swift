import FleetEngine
import FleetEngineAPI
import FleetEngineAccess
import FleetEngineCore
import FoundationEssentials
import Hummingbird
import NIOCore

extension ProviderServer {
    /// Adds the front page: HTML for browsers, and the same content as JSON for programs.
    func addFrontPage(_ router: Router<BasicRequestContext>) {
        router.get("/") { request, _ in
            let isAdmitted = admitsToTrips(request)
            if let refusal = refusal(ofKeyIn: request, isRight: isAdmitted) { return refusal }
            let trips = isAdmitted ? FrontPage.trips(of: await desk.engine.snapshot) : nil
            let page = FrontPage(provider: desk.provider, trips: trips)
            let accepted = request.headers[.accept] ?? ""
            var response = accepted.contains("text/html") ? Self.html(page.html) : Self.json(page, .ok)
            for (name, value) in Self.frontHeaders { if let name = HTTPFields.Element.Name(name) { response.headers[name] = value } }
            return response
        }
    }

    /// Whether the caller is allowed to see the trips. If the server checks keys, the caller needs a valid key.
    private func admitsToTrips(_ request: Request) -> Bool {
        gate.map { $0.deskKey(authorization: request.headers[.authorization]) != nil } ?? true
    }

    /// Counts and logs a wrong key. Returns the refusal if the caller's address has tried too many wrong keys; otherwise nil. A request
    /// without a key, or with a key that the address has sent before, is not refused.
    private func refusal(ofKeyIn request: Request, isRight: Bool) -> Response? {
        guard gate != nil, let authorization = request.headers[.authorization] else { return nil }
        return doors.refusal(of: authorization, isRight: isRight, at: .provider)
    }

    private static func html(_ text: String) -> Response {
        Response(
            status: .ok, headers: [.contentType: "text/html; charset=utf-8"], body: .init(byteBuffer: ByteBuffer(string: text)))
    }

    /// Response headers that tell browsers not to run scripts, load resources, show the page in a frame, or cache it.
    private static let frontHeaders = [
        ("Content-Security-Policy", "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"),
        ("Cache-Control", "no-store"), ("Referrer-Policy", "no-referrer"), ("X-Content-Type-Options", "nosniff"), ("Vary", "Accept"),
    ]
}

/// The page at the root of the provider API. It shows a description of the API, its paths, and the current trips.
struct FrontPage: Encodable {
    struct Trip: Encodable {
        let name: String
        let status: String
        /// Bare id of the vehicle; empty if the trip has no vehicle.
        let vehicle: String
    }

    struct Path: Encodable {
        let path: String
        let about: String
    }

    /// Maximum number of listed trips.
    static let tripLimit = 20

    var about = "tripwatch serve: a Fleet Engine and a provider API on this machine"
    let provider: String
    var paths = [
        Path(path: "POST /trip/new", about: "book a trip"),
        Path(path: "GET, PUT /trip/ID", about: "a trip, and its status"),
        Path(path: "GET /vehicles", about: "all vehicles"),
        Path(path: "POST /vehicle/new", about: "add a vehicle"),
        Path(path: "GET, PUT /vehicle/ID", about: "a vehicle, and its details"),
        Path(path: "GET /vehicle/ID/driven", about: "the path that a car with a phone has driven, as GeoJSON"),
        Path(path: "GET /cars", about: "cars that have a phone key"),
        Path(path: "POST /car/new, /car/revoke", about: "create a car's phone key, and revoke it"),
        Path(path: "GET /token/KIND/ID", about: "a token for a consumer, driver or server, for rides or deliveries"),
        Path(path: "GET, POST /backend_config", about: "a day's deliveries"),
        Path(path: "GET, POST /manifest/VEHICLE", about: "a vehicle's deliveries, and its stops"),
        Path(path: "GET, POST, PUT /task/ID", about: "a delivery, and its outcome"),
        Path(path: "GET /tasks?vehicleId=VEHICLE", about: "deliveries of a vehicle"),
        Path(path: "GET /taskInfoByTrackingId/ID", about: "address and contact of a shipment"),
        Path(path: "GET, POST, PUT /delivery_vehicle/ID", about: "a delivery vehicle"),
        Path(path: "/v1/…", about: "Fleet Engine's API as JSON"),
        Path(path: "GET /healthz, /readyz, /metrics", about: "for monitoring"),
    ]
    /// Trips that are not over, newest first; nil if the caller may not see them.
    let trips: [Trip]?

    static func trips(of engine: FleetEngineState) -> [Trip] {
        let newest = engine.trips.values.filter { !$0.status.isFinal }.sorted { $0.serial > $1.serial }.prefix(tripLimit)
        return newest.map { Trip(name: $0.name.description, status: $0.status.name, vehicle: $0.trip.vehicleID) }
    }

    var html: String {
        let paths = paths.map { "<li><code>\(Self.escaped($0.path))</code>: \(Self.escaped($0.about))" }
        let lines =
            [
                "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>tripwatch</title>",
                "<h1>tripwatch</h1><p>\(Self.escaped(about)). Provider: <code>\(Self.escaped(provider))</code>.", "<ul>",
            ] + paths + ["</ul>", tripList, "<p>More: <code>tripwatch man serve</code></html>"]
        return lines.joined(separator: "\n") + "\n"
    }

    private var tripList: String {
        guard let trips else { return "<p>Trips are shown only with the key: <code>Authorization: Bearer KEY</code>." }
        guard !trips.isEmpty else { return "<p>There are no trips at the moment." }
        let rows = trips.map { trip in
            let vehicle = trip.vehicle.isEmpty ? "no vehicle" : Self.escaped(trip.vehicle)
            return "<li><code>\(Self.escaped(trip.name))</code> \(Self.escaped(trip.status)), \(vehicle)"
        }
        return "<p>Trips now:<ul>" + rows.joined() + "</ul>"
    }

    /// Escapes text from outside for use in HTML, and removes characters that could affect a terminal.
    private static func escaped(_ text: String) -> String {
        ForeignText.line(text).replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
            .replacing("\"", with: "&quot;").replacing("'", with: "&#39;")
    }
}
