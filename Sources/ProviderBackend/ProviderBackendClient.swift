public import FleetEngine
import FleetEngineWire
package import FoundationEssentials
public import Geo
import HTTPCalls

/// A trip as the provider backend reports it.
public struct ProviderTrip: Hashable, Sendable {
    /// Name of the trip in Fleet Engine.
    public let name: TripName
    /// Status of the trip, as the provider backend last knew it.
    public let status: TripStatus
    /// Id of the vehicle; nil before a vehicle is matched.
    public let vehicleID: String?
}

/// A trip that the provider backend has booked.
public struct ProviderBooking: Hashable, Sendable {
    /// The address of the engine that the provider backend uses for a trip.
    public struct Engine: Hashable, Sendable {
        /// The host: always the provider backend's own, because no other host would be trusted.
        public let host: String
        /// Port of the engine's gRPC API.
        public let port: Int
        /// Whether the engine is called without TLS: true if the provider backend itself is called without TLS.
        public let isPlaintext: Bool

        /// The address as `HOST:PORT`.
        public var endpoint: String { "\(host.contains(":") && !host.hasPrefix("[") ? "[\(host)]" : host):\(port)" }
    }

    /// The name of the booked trip.
    public let trip: TripName
    /// The engine that has the trip; nil if the provider backend does not report it, for example behind a proxy.
    public let engine: Engine?
}

extension ProviderTrip {
    init(_ body: TripBody, _ address: ProviderBackendClient.Address) throws(ProviderBackendError) {
        guard let name = try? TripName(body.name) else {
            throw ProviderBackendError(notUnderstood: "its trip has no valid name", address: address)
        }
        self.init(
            name: name, status: TripStatus(rawValue: body.tripStatus) ?? .unknown,
            vehicleID: body.vehicleId.flatMap { $0.isEmpty ? nil : $0 })
    }
}

/// A client of a provider backend, over HTTP. It books trips, reads their state, cancels them and fetches tokens.
///
/// The API is that of Google's sample provider. Requests that are safe to repeat follow the retry rules of Fleet Engine's own service
/// config (`CallRetry`). A booking is repeated only if no connection was made, because a repeated booking could book the trip twice.
public struct ProviderBackendClient: Sendable {
    /// Address of the provider backend: `http://` or `https://`, host, optional port and path.
    public struct Address: Hashable, Sendable, CustomStringConvertible {
        let text: String
        let origin: HTTPOrigin

        /// Returns nil for text that is not an http or https URL, and for a URL with a user name, password, query or fragment.
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

    /// The role for which a token is requested.
    public enum TokenRole: String, CaseIterable, Hashable, Sendable {
        /// A rider or guest who follows a trip.
        case consumer
        /// A vehicle's driver.
        case driver
        /// The provider's own servers, with access to any trip and vehicle.
        case server
    }

    /// Size limit of an answer, in bytes.
    static let largestAnswer = 1 << 20
    /// Time limit of a call, including retries and pauses, in seconds.
    public static let longestCallSeconds = 14.0

    package let address: Address
    let headers: [(name: String, value: String)]
    let headerFile: HeaderFile?
    let caFile: String?
    let timeoutSeconds: Double
    let time: any TimeSource
    let seed: UInt64
    let onRequest: (@Sendable (RequestReport) -> Void)?

    /// Creates a client.
    /// - Parameters:
    ///   - headers: headers that are sent with every request, for the provider's own authentication.
    ///   - headerFile: a file with more headers; those named in `headers` are left out.
    ///   - caFile: PEM certificates that are trusted in addition to the system's.
    ///   - timeoutSeconds: time limit of one attempt of a request, 1 ... 120.
    ///   - time: the clock for timeouts and pauses. Only tests replace it.
    ///   - seed: the seed for the random length of pauses.
    ///   - onRequest: called after each request, including retries.
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

    /// Books a trip. The provider backend chooses the trip's id.
    /// - Throws: an error with `mayHaveHappened` if the trip may have been booked.
    public func book(
        from pickup: Coordinate, to dropoff: Coordinate, via stops: [Coordinate] = [], type: TripType = .exclusive
    ) async throws(ProviderBackendError) -> TripName {
        try await bookTrip(from: pickup, to: dropoff, via: stops, type: type).trip
    }

    /// Books a trip as ``book(from:to:via:type:)`` does. Also returns the address of the engine that has the trip.
    /// - Parameter attributes: attributes of the trip, such as `pickup_name`. Google's sample provider ignores them.
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
            error.description += "; the request was not repeated"
            throw error
        }
    }

    private func engine(toldBy answer: HTTPExchange.Answer) -> ProviderBooking.Engine? {
        guard let port = answer.header(EnginePortHeader.name).flatMap(Int.init), (1...65_535).contains(port) else { return nil }
        return ProviderBooking.Engine(host: address.origin.host, port: port, isPlaintext: address.origin.scheme == "http")
    }

    /// Reads the state of a trip.
    /// - Parameter id: the bare id, not the name.
    public func trip(_ id: String) async throws(ProviderBackendError) -> ProviderTrip { try await trip(id, until: deadline) }

    /// Reads the state of a trip, as ``trip(_:)`` does, with another deadline for all attempts.
    package func trip(_ id: String, until deadline: Date) async throws(ProviderBackendError) -> ProviderTrip {
        let answer: WrappedTripBody = try await send("GET", "/trip/" + PercentEncoding.segment(id), until: deadline)
        return try ProviderTrip(answer.trip, address)
    }

    /// Deadline of a call that begins now.
    var deadline: Date { time.now().addingTimeInterval(Self.longestCallSeconds) }

    /// Cancels a trip. Also succeeds if an earlier attempt cancelled the trip but its answer was lost.
    /// - Parameter id: the bare id, not the name.
    /// - Throws: an error with `mayHaveHappened` if any attempt may have cancelled the trip.
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
                // The trip's status at the provider backend shows whether the cancellation succeeded.
                if now.status == .canceled { return }
                throw error
            }
            var error = error
            if isUnclear { error.mayHaveHappened = true }
            throw error
        }
    }

    /// Removes a trip from a vehicle whose driver has not accepted the trip, so that another vehicle gets it.
    /// - Parameter id: the bare id, not the name.
    /// - Returns: the trip after the change. It keeps its vehicle if the provider backend does not support this request.
    public func release(_ id: String) async throws(ProviderBackendError) -> ProviderTrip {
        let body = TripUpdateBody(status: TripStatus.new.name, vehicleId: "")
        let answer: TripBody = try await send("PUT", "/trip/" + PercentEncoding.segment(id), body: body, until: deadline)
        return try ProviderTrip(answer, address)
    }

    /// Fetches a token from the provider backend.
    /// - Parameter id: the bare trip id for a consumer, the vehicle id for a driver; ignored for a server.
    public func token(_ role: TokenRole, id: String = "") async throws(ProviderBackendError) -> AccessToken {
        guard address.origin.isSecure else { throw plaintext("tokens are not fetched") }
        let asked = time.now()
        let path = "/token/\(role.rawValue)" + (role == .server ? "" : "/" + PercentEncoding.segment(id))
        let text = String(decoding: try await answer("GET", path, body: nil, until: deadline).body, as: UTF8.self)
        do throws(AccessTokenError) {
            return try TokenAnswerReader(origin: "provider at \(address)").token(text, now: asked)
        } catch {
            throw ProviderBackendError(notUnderstood: error.description, address: address)
        }
    }

    /// Returns a token source that requests tokens from the provider backend, with this client's headers, certificates and time limit.
    /// It does not cache tokens.
    /// - Throws: `TokenURLError` if the backend's address is not allowed for tokens, such as http to another machine.
    public func tokenSource(_ role: TokenRole) throws(TokenURLError) -> URLAccessToken {
        let place =
            switch role {
            case .consumer: "/{tripID}"
            case .driver: "/{vehicleID}"
            case .server: ""
            }
        return URLAccessToken(
            try TokenURL(address.text + "/token/\(role.rawValue)" + place), headers: headers, headerFile: headerFile, caFile: caFile,
            limitSeconds: timeoutSeconds, time: time)
    }
}
