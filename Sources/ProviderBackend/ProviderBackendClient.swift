import AsyncHTTPClient
public import FleetEngine
import FoundationEssentials
public import Geo
import NIOCore
import NIOHTTP1

/// Why the provider's back end did not do what was asked. `description` is one sentence.
public struct ProviderBackendError: Error, Hashable, Sendable, CustomStringConvertible {
    public enum Kind: Hashable, Sendable {
        /// Not reached, or no answer in time.
        case unreachable
        /// It answered with a status of its own failure (5xx).
        case failing(status: Int)
        /// It said no (4xx).
        case refused(status: Int)
        /// It answered something that is not the sample provider's API.
        case notUnderstood
    }

    public let kind: Kind
    public let description: String

    /// Whether the same request may succeed later without anyone doing something.
    public var isRetryable: Bool {
        switch kind {
        case .unreachable, .failing: true
        case .refused, .notUnderstood: false
        }
    }
}

/// A trip as the provider sees it.
public struct ProviderTrip: Hashable, Sendable {
    public let name: TripName
    public let status: TripStatus
    /// Nil until a vehicle is matched.
    public let vehicleID: String?
}

/// The ride company's own back end, over HTTP: books trips, tells their state, cancels them.
///
/// The API is that of Google's sample provider. A booking is sent once: repeating it could book twice.
public struct ProviderBackendClient: Sendable {
    /// Where the back end is: `http://` or `https://`, host, optional port and path.
    public struct Address: Hashable, Sendable, CustomStringConvertible {
        let text: String

        /// Nil for anything but an http or https URL without query and fragment.
        public init?(_ text: String) {
            let trimmed = text.hasSuffix("/") ? String(text.dropLast()) : text
            guard let url = URL(string: trimmed), url.scheme == "http" || url.scheme == "https", url.host()?.isEmpty == false,
                url.query() == nil, url.fragment() == nil
            else { return nil }
            self.text = trimmed
        }

        public var description: String { text }
    }

    /// The largest answer that is read, bytes.
    static let largestAnswer = 1 << 20

    private let address: Address
    private let headers: [(name: String, value: String)]
    private let timeout: TimeAmount

    /// - Parameters:
    ///   - headers: sent with every request, for the provider's own authentication.
    ///   - timeoutSeconds: for a whole request, 1 ... 120.
    public init(address: Address, headers: [(name: String, value: String)] = [], timeoutSeconds: Int = 10) {
        self.address = address
        self.headers = headers
        timeout = .seconds(Int64(min(max(timeoutSeconds, 1), 120)))
    }

    /// Books a trip. The back end chooses its id.
    public func book(
        from pickup: Coordinate, to dropoff: Coordinate, via stops: [Coordinate] = [], type: TripType = .exclusive
    ) async throws(ProviderBackendError) -> TripName {
        let body = NewTripBody(
            pickup: Place(pickup), dropoff: Place(dropoff), intermediateDestinations: stops.isEmpty ? nil : stops.map(Place.init),
            tripType: type == .shared ? "SHARED" : "EXCLUSIVE")
        let answer: TripBody = try await send(.POST, "/trip/new", body: body)
        return try answer.trip(address).name
    }

    /// The trip's state.
    public func trip(_ id: String) async throws(ProviderBackendError) -> ProviderTrip {
        let answer: WrappedTripBody = try await send(.GET, "/trip/" + Self.escaped(id), body: nil as NewTripBody?)
        return try answer.trip.trip(address)
    }

    /// Cancels a trip, by its bare id.
    public func cancel(_ id: String) async throws(ProviderBackendError) {
        let _: TripBody = try await send(.PUT, "/trip/" + Self.escaped(id), body: StatusBody(status: "CANCELED"))
    }

    private func send<Body: Encodable, Answer: Decodable>(
        _ method: HTTPMethod, _ path: String, body: Body?
    ) async throws(ProviderBackendError) -> Answer {
        var request = HTTPClientRequest(url: address.text + path)
        request.method = method
        request.headers.add(name: "accept", value: "application/json")
        for header in headers { request.headers.add(name: header.name, value: header.value) }
        if let body {
            guard let data = try? JSONEncoder().encode(body) else { throw notUnderstood("the request could not be written") }
            request.headers.add(name: "content-type", value: "application/json")
            request.body = .bytes(ByteBuffer(bytes: data))
        }
        let (status, data) = try await execute(request)
        guard (200..<300).contains(status) else { throw refusal(status, data) }
        guard let answer = try? JSONDecoder().decode(Answer.self, from: data) else {
            throw notUnderstood("its answer is not what the sample provider's API gives")
        }
        return answer
    }

    private func execute(_ request: HTTPClientRequest) async throws(ProviderBackendError) -> (Int, Data) {
        do {
            let response = try await HTTPClient.shared.execute(request, timeout: timeout)
            let body = try await response.body.collect(upTo: Self.largestAnswer)
            return (Int(response.status.code), Data(body.readableBytesView))
        } catch {
            throw ProviderBackendError(kind: .unreachable, description: "the provider at \(address) does not answer (\(Self.words(error)))")
        }
    }

    private func refusal(_ status: Int, _ data: Data) -> ProviderBackendError {
        let said = (try? JSONDecoder().decode(MessageBody.self, from: data))?.message.map { ": \(Self.printable($0))" } ?? ""
        if status >= 500 {
            return ProviderBackendError(
                kind: .failing(status: status), description: "the provider at \(address) failed (HTTP \(status)\(said))")
        }
        return ProviderBackendError(
            kind: .refused(status: status), description: "the provider at \(address) said no (HTTP \(status)\(said))")
    }

    private func notUnderstood(_ what: String) -> ProviderBackendError {
        ProviderBackendError(kind: .notUnderstood, description: "the provider at \(address) was not understood: \(what)")
    }

    private static func words(_ error: any Error) -> String {
        guard let error = error as? HTTPClientError else {
            let text = "\(error)"
            return text.contains("Connection refused") || text.contains("errno: 111") ? "connection refused" : "connection failed"
        }
        let late: [HTTPClientError] = [.deadlineExceeded, .connectTimeout, .readTimeout]
        return late.contains(error) ? "no answer in time" : error.shortDescription
    }

    /// An id as one path segment.
    private static func escaped(_ id: String) -> String {
        var out = ""
        for byte in id.utf8 {
            let isPlain =
                (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte) || "-._~".utf8.contains(byte)
            if isPlain {
                out.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                let hex = String(byte, radix: 16, uppercase: true)
                out += "%" + (hex.count < 2 ? "0" + hex : hex)
            }
        }
        return out
    }

    private static func printable(_ text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.filter { $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value) }.prefix(200)))
    }
}

// MARK: - The sample provider's shapes

private struct Place: Codable {
    let latitude: Double
    let longitude: Double

    init(_ coordinate: Coordinate) {
        latitude = coordinate.latitude
        longitude = coordinate.longitude
    }
}

private struct NewTripBody: Encodable {
    let pickup: Place
    let dropoff: Place
    let intermediateDestinations: [Place]?
    let tripType: String
}

private struct StatusBody: Encodable {
    let status: String
}

private struct MessageBody: Decodable {
    let message: String?
}

private struct WrappedTripBody: Decodable {
    let trip: TripBody
}

private struct TripBody: Decodable {
    let name: String
    let tripStatus: String
    let vehicleId: String?

    func trip(_ address: ProviderBackendClient.Address) throws(ProviderBackendError) -> ProviderTrip {
        guard let name = try? TripName(name) else {
            throw ProviderBackendError(
                kind: .notUnderstood, description: "the provider at \(address) was not understood: its trip has no usable name")
        }
        return ProviderTrip(
            name: name, status: TripStatus(rawValue: tripStatus) ?? .unknown, vehicleID: vehicleId.flatMap { $0.isEmpty ? nil : $0 })
    }
}
