public import FleetEngine
import FleetEngineWire
import FoundationEssentials
public import Geo
import HTTPCalls

/// A trip as the provider sees it.
public struct ProviderTrip: Hashable, Sendable {
    /// The trip's name at the Fleet Engine.
    public let name: TripName
    /// How far the trip is, as the back end last knew it.
    public let status: TripStatus
    /// Nil until a vehicle is matched.
    public let vehicleID: String?
}

/// A trip that was booked.
public struct ProviderBooking: Hashable, Sendable {
    /// A Fleet Engine, as its back end tells of it.
    public struct Engine: Hashable, Sendable {
        /// The back end's own host: another one is not believed.
        public let host: String
        /// The port of the Fleet Engine's gRPC API.
        public let port: Int
        /// No TLS, like the back end.
        public let isPlaintext: Bool

        /// `HOST:PORT`.
        public var endpoint: String { "\(host.contains(":") && !host.hasPrefix("[") ? "[\(host)]" : host):\(port)" }
    }

    /// The name of the booked trip.
    public let trip: TripName
    /// Where the trip is; nil where the back end does not say so. That of `tripwatch serve` does, unless it is behind a proxy.
    public let engine: Engine?
}

extension ProviderTrip {
    init(_ body: TripBody, _ address: ProviderBackendClient.Address) throws(ProviderBackendError) {
        guard let name = try? TripName(body.name) else {
            throw ProviderBackendError(notUnderstood: "its trip has no usable name", address: address)
        }
        self.init(
            name: name, status: TripStatus(rawValue: body.tripStatus) ?? .unknown,
            vehicleID: body.vehicleId.flatMap { $0.isEmpty ? nil : $0 })
    }
}

/// The ride company's own back end, over HTTP: books trips, reads their state, cancels them, gives out tokens.
///
/// The API is that of Google's sample provider. Requests that are safe to repeat are repeated as Fleet Engine's own service config says
/// (`CallRetry`). A booking is repeated only when no connection was made: otherwise it could book twice.
public struct ProviderBackendClient: Sendable {
    /// Where the back end is: `http://` or `https://`, host, optional port and path.
    public struct Address: Hashable, Sendable, CustomStringConvertible {
        let text: String
        let origin: HTTPOrigin

        /// Nil for anything but an http or https URL without name, password, query and fragment.
        public init?(_ text: String) {
            let trimmed = text.hasSuffix("/") ? String(text.dropLast()) : text
            guard trimmed.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && !"{}".utf8.contains($0) }), let url = URL(string: trimmed),
                let origin = HTTPOrigin(url), url.query() == nil, url.fragment() == nil, url.user() == nil
            else { return nil }
            self.text = trimmed
            self.origin = origin
        }

        public var description: String { text }
    }

    /// Whom a token is for.
    public enum TokenRole: String, CaseIterable, Hashable, Sendable {
        /// A rider or guest who follows a trip.
        case consumer
        /// A vehicle's driver.
        case driver
        /// The provider's own servers: any trip and vehicle.
        case server
    }

    /// The largest answer that is read, bytes.
    static let largestAnswer = 1 << 20
    /// For all that a call does, repetitions and pauses included, seconds.
    public static let longestCallSeconds = 14.0

    let address: Address
    let headers: [(name: String, value: String)]
    let headerFile: HeaderFile?
    let caFile: String?
    let timeoutSeconds: Double
    let time: any TimeSource
    let seed: UInt64
    let onRequest: (@Sendable (RequestReport) -> Void)?

    /// - Parameters:
    ///   - headers: sent with every request, for the provider's own authentication.
    ///   - headerFile: a file with more headers.
    ///   - caFile: certificates in PEM that are trusted besides the system's.
    ///   - timeoutSeconds: for a whole request, 1 ... 120.
    ///   - time: the clock of timeouts and pauses; the real one unless a test drives it.
    ///   - seed: the seed of the pauses' jitter.
    ///   - onRequest: called after each request, repetitions included.
    public init(
        address: Address, headers: [(name: String, value: String)] = [], headerFile: HeaderFile? = nil, caFile: String? = nil,
        timeoutSeconds: Int = 10, time: any TimeSource = SystemTimeSource(), seed: UInt64 = .random(in: .min ... .max),
        onRequest: (@Sendable (RequestReport) -> Void)? = nil
    ) {
        self.address = address
        self.headers = headers
        self.headerFile = headerFile
        self.caFile = caFile
        self.timeoutSeconds = Double(min(max(timeoutSeconds, 1), 120))
        self.time = time
        self.seed = seed
        self.onRequest = onRequest
    }

    /// Books a trip. The back end chooses its id.
    /// - Throws: an error with `mayHaveHappened` when it is not known whether the trip was booked.
    public func book(
        from pickup: Coordinate, to dropoff: Coordinate, via stops: [Coordinate] = [], type: TripType = .exclusive
    ) async throws(ProviderBackendError) -> TripName {
        try await bookTrip(from: pickup, to: dropoff, via: stops, type: type).trip
    }

    /// The same as ``book(from:to:via:type:)``, with the Fleet Engine that has the trip.
    /// - Parameter attributes: the trip's own, such as `pickup_name`. Google's sample provider leaves them out.
    public func bookTrip(
        from pickup: Coordinate, to dropoff: Coordinate, via stops: [Coordinate] = [], type: TripType = .exclusive,
        attributes: [String: String] = [:]
    ) async throws(ProviderBackendError) -> ProviderBooking {
        let type: TripType = type == .shared ? .shared : .exclusive
        let body = NewTripBody(pickup: pickup, dropoff: dropoff, stops: stops, tripType: type.rawValue, attributes: attributes)
        do throws(ProviderBackendError) {
            let answer = try await send("POST", "/trip/new", body: body, until: deadline)
            return ProviderBooking(trip: try ProviderTrip(try decode(answer), address).name, engine: engine(toldBy: answer))
        } catch {
            guard error.mayHaveHappened else { throw error }
            var error = error
            error.description += "; whether the trip was booked is not known, so it was not tried again"
            throw error
        }
    }

    private func engine(toldBy answer: HTTPExchange.Answer) -> ProviderBooking.Engine? {
        guard let port = answer.header(EnginePortHeader.name).flatMap(Int.init), (1...65_535).contains(port) else { return nil }
        return ProviderBooking.Engine(host: address.origin.host, port: port, isPlaintext: address.origin.scheme == "http")
    }

    /// The trip's state.
    /// - Parameter id: the bare id, not the name.
    public func trip(_ id: String) async throws(ProviderBackendError) -> ProviderTrip { try await trip(id, until: deadline) }

    private func trip(_ id: String, until deadline: Date) async throws(ProviderBackendError) -> ProviderTrip {
        let answer: WrappedTripBody = try await send("GET", "/trip/" + PercentEncoding.segment(id), until: deadline)
        return try ProviderTrip(answer.trip, address)
    }

    /// The deadline of a call that begins now.
    var deadline: Date { time.now().addingTimeInterval(Self.longestCallSeconds) }

    /// Cancels a trip. Done, too, when it has been cancelled already by an earlier try whose answer was lost.
    /// - Parameter id: the bare id, not the name.
    /// - Throws: an error with `mayHaveHappened` when any of the tries may have cancelled the trip without saying so.
    public func cancel(_ id: String) async throws(ProviderBackendError) {
        let path = "/trip/" + PercentEncoding.segment(id)
        let deadline = deadline
        var isUnclear = false
        do throws(ProviderBackendError) {
            let _: TripBody = try await send("PUT", path, body: TripUpdateBody(status: TripStatus.canceled.name), until: deadline) {
                isUnclear = isUnclear || $0
            }
        } catch {
            if isUnclear, case .refused = error.kind, let now = try? await trip(id, until: deadline) {
                // The provider itself says how the trip stands.
                if now.status == .canceled { return }
                throw error
            }
            var error = error
            if isUnclear { error.mayHaveHappened = true }
            throw error
        }
    }

    /// Takes the vehicle off a trip that it was given and whose driver has not accepted it, so that another one gets it.
    /// - Parameter id: the bare id, not the name.
    /// - Returns: the trip afterwards. A back end that knows no such request leaves it the vehicle.
    public func release(_ id: String) async throws(ProviderBackendError) -> ProviderTrip {
        let body = TripUpdateBody(status: TripStatus.new.name, vehicleId: "")
        let answer: TripBody = try await send("PUT", "/trip/" + PercentEncoding.segment(id), body: body, until: deadline)
        return try ProviderTrip(answer, address)
    }

    /// A token of the back end's.
    /// - Parameter id: the bare trip id for a consumer, the vehicle id for a driver; not used for a server.
    public func token(_ role: TokenRole, id: String = "") async throws(ProviderBackendError) -> AccessToken {
        guard address.origin.isSecure else { throw plaintext("give out a token") }
        let asked = time.now()
        let path = "/token/\(role.rawValue)" + (role == .server ? "" : "/" + PercentEncoding.segment(id))
        let text = String(decoding: try await answer("GET", path, body: nil, until: deadline).body, as: UTF8.self)
        do throws(AccessTokenError) {
            return try TokenAnswerReader(origin: "provider at \(address)").token(text, now: asked)
        } catch {
            throw ProviderBackendError(notUnderstood: error.description, address: address)
        }
    }

    /// The back end as a source of tokens for a cache, with this client's headers.
    /// - Throws: `TokenURLError` when tokens may not be fetched from its address.
    public func tokenSource(_ role: TokenRole) throws(TokenURLError) -> URLAccessToken {
        let place =
            switch role {
            case .consumer: "/{tripID}"
            case .driver: "/{vehicleID}"
            case .server: ""
            }
        return URLAccessToken(
            try TokenURL(address.text + "/token/\(role.rawValue)" + place), headers: headers, headerFile: headerFile, time: time)
    }
}
