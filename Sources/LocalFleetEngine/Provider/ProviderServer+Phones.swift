import FleetEngine
import FleetEngineWire
import FoundationEssentials
import HTTPServing
import Hummingbird
import Logging
import NIOCore
import PhoneIntake

/// Addresses to which phones send their reports. A request contains the phone's key, so it needs no provider API key. The log omits the
/// phone's key.
enum PhonePath {
    /// Whether this address is one of those that accept a phone's key.
    static func opens(_ path: String) -> Bool {
        let parts = path.split(separator: "/")
        return parts == ["pub"] || parts.count == 3 && parts.first == "car"
    }

    /// Returns the path for the log. Segments after `car` that may contain a key are replaced by `-`.
    static func shown(_ path: String) -> String {
        var parts = path.split(separator: "/", omittingEmptySubsequences: false)
        guard let car = parts.firstIndex(of: "car") else { return path }
        let rest = parts.indices.filter { $0 > car && !parts[$0].isEmpty }
        if rest.count == 1, rest.allSatisfy({ ["new", "revoke"].contains(parts[$0]) }) { return path }
        for index in rest {
            let isFormat = rest.count == 2 && index == rest.last && PhoneFormat(rawValue: String(parts[index])) != nil
            if !isFormat { parts[index] = "-" }
        }
        return parts.joined(separator: "/")
    }
}

extension ProviderServer {
    /// Adds `/car/new`, `/car/revoke` and `/cars` of the provider API, and the routes for the reports of phones.
    func addPhones(_ router: Router<BasicRequestContext>) {
        router.post("car/new") { request, _ in try await newCar(request) }
        router.post("car/revoke") { request, _ in try await revokeCar(request) }
        router.get("cars") { request, _ in Self.json(phones.cars(after: request.uri.queryParameters.get("after")), .ok) }
        for method in [HTTPRequest.Method.get, .post, .put] {
            router.on("car/:key/:format", method: method) { request, context in
                let key = context.parameters.get("key") ?? ""
                let opened = openedCar(key: key)
                if let refusal = doors.refusal(of: key, isRight: opened != nil, at: .phone) { return refusal }
                guard let car = opened else { return Self.wrongKey }
                guard let format = context.parameters.get("format").flatMap(PhoneFormat.init) else {
                    return Self.message(
                        "unknown app: use one of \(PhoneFormat.allCases.map(\.rawValue).joined(separator: ", "))", .notFound)
                }
                return try await intake(request, format, of: car)
            }
        }
        for method in [HTTPRequest.Method.post, .put] {
            router.on("pub", method: method) { request, _ in
                guard let login = request.headers[.authorization].flatMap(BasicLogin.init) else { return Self.wrongKey }
                let opened = openedCar(key: login.password, user: login.user)
                if let refusal = doors.refusal(of: login.password, isRight: opened != nil, at: .phone) { return refusal }
                guard let car = opened else { return Self.wrongKey }
                return try await intake(request, .owntracks, of: car)
            }
        }
    }

    /// The response to a wrong key. It does not reveal why the key is wrong.
    private static var wrongKey: Response {
        Response(
            status: .unauthorized, headers: [.contentType: "application/json; charset=utf-8", .wwwAuthenticate: "Basic"],
            body: .init(byteBuffer: ByteBuffer(string: #"{"message":"this key does not belong to a car","status":401}"#)))
    }

    private func newCar(_ request: Request) async throws -> Response {
        guard let body = try await read(NewCarBody.self, request) else {
            return Self.message(
                "the body must be a JSON object with vehicleId (a string); optional: manual (true or false), "
                    + "expiresInSeconds (a whole number), and plate, color, model and driver (strings)",
                .badRequest)
        }
        guard let id = body.vehicleId, !id.isEmpty else { return Self.message("vehicleId is missing", .badRequest) }
        guard body.expiresInSeconds.map(NewCarBody.livesInSeconds.contains) ?? true else {
            return Self.message("expiresInSeconds must be a whole number from 1 to \(NewCarBody.livesInSeconds.upperBound)", .badRequest)
        }
        return try await answer { () throws(FleetEngineError) in
            let hadKey = phones.hasPhone(id)
            let made = try await phones.book(
                id, isManual: body.manual ?? false, lifeSeconds: body.expiresInSeconds, identity: body.identity)
            return CarKeyBody(
                vehicleId: id, key: made.key, publicUrl: access.publicAddress, endsOlderKey: hadKey ? true : nil,
                keyExpirationTimestamp: made.end.map(CarListBody.milliseconds))
        }
    }

    private func revokeCar(_ request: Request) async throws -> Response {
        guard let id = try await read(RevokedCarBody.self, request)?.vehicleId, !id.isEmpty else {
            return Self.message("the body must be a JSON object with vehicleId, a string", .badRequest)
        }
        return try await answer { () throws(FleetEngineError) in
            try await phones.revoke(id)
            return RevokedCarBody(vehicleId: id)
        }
    }

    /// Returns the car that a key belongs to; nil if the key is wrong or expired, or if `user` is another car. The use of an expired key is
    /// logged.
    /// - Parameter user: bare id of the car as the phone reports it; nil if the phone does not report one.
    private func openedCar(key: String, user: String? = nil) -> VehicleName? {
        guard let car = phones.car(key: key, user: user) else { return nil }
        guard let end = car.keyEnd, end <= phones.now else { return car.name }
        log?.info(
            "phone: refused", metadata: ["vehicle": "\(car.name.vehicle)", "reason": "its key expired at \(end.formatted(.iso8601))"])
        return nil
    }

    private func intake(_ request: Request, _ format: PhoneFormat, of car: VehicleName) async throws -> Response {
        HTTPCaller.current?.note(CallSource.Name(account: CallSource.Name.phone, keyID: car.vehicle))
        // All reports with one key count as those of one caller, even if they come from several addresses.
        do throws(FleetEngineError) {
            try desk.engine.rate?.take(.account(email: CallSource.Name.phone, trip: nil, vehicle: car.vehicle))
        } catch {
            return Self.refusal(error)
        }
        let body = Array(try await collect(request).readableBytesView)
        let (query, now) = (request.uri.query ?? "", phones.now)
        let result = try await DecodingThread.run(body.count) {
            Result<PhonePost, PhonePostError> { () throws(PhonePostError) in try format.read(query: query, body: body, now: now) }
        }
        let post: PhonePost
        do throws(PhonePostError) {
            post = try result.get()
        } catch {
            note("refused", car, format, "\(error)")
            return Self.message(error.description, .badRequest)
        }
        for (reason, count) in post.omissions.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            note("left out", car, format, "\(reason.rawValue)", count)
        }
        if let ahead = post.clockAheadSeconds {
            note("wrong clock", car, format, "its clock is \(abs(ahead)) s \(ahead < 0 ? "behind" : "ahead")")
        }
        do throws(FleetEngineError) {
            guard try await phones.report(post.fixes, clockAheadSeconds: post.clockAheadSeconds, of: car) else { return Self.wrongKey }
        } catch {
            return Self.refusal(error)
        }
        guard !format.answer.isEmpty else { return Response(status: .ok) }
        return Response(
            status: .ok, headers: [.contentType: "application/json; charset=utf-8"],
            body: .init(byteBuffer: ByteBuffer(string: format.answer)))
    }

    private func note(_ what: String, _ car: VehicleName, _ format: PhoneFormat, _ reason: String, _ count: Int = 1) {
        log?.info(
            "phone: \(what)",
            metadata: ["vehicle": "\(car.vehicle)", "app": "\(format.rawValue)", "reason": "\(reason)", "count": "\(count)"])
    }
}

/// The user name and password of an HTTP Basic `Authorization` header.
private struct BasicLogin {
    let user: String
    let password: String

    /// Returns nil for a header that is not HTTP Basic, or is invalid.
    init?(_ header: String) {
        let parts = header.split(separator: " ", omittingEmptySubsequences: true)
        guard parts.count == 2, parts[0].lowercased() == "basic", let data = Data(base64Encoded: String(parts[1])),
            let text = String(validating: data, as: UTF8.self), let colon = text.firstIndex(of: ":")
        else { return nil }
        user = String(text[..<colon])
        password = String(text[text.index(after: colon)...])
    }
}
