import Foundation
import Testing

/// Calls to the REST interface of a server.
struct RESTCalls {
    typealias Place = (latitude: Double, longitude: Double)

    private let port: Int
    private let isSafe: Bool
    private let credentials: String

    /// - Parameters:
    ///   - address: a text that ends with the HTTP port, such as the first line that the server prints.
    ///   - isSafe: whether the server uses TLS. Its certificate is not checked.
    ///   - token: the token that a server with accounts requires.
    init(_ address: String?, isSafe: Bool = false, token: String? = nil) throws {
        port = try #require(address?.split(separator: ":").last.flatMap { Int($0) })
        self.isSafe = isSafe
        credentials = token.map { "Authorization: Bearer \($0)\r\n" } ?? ""
    }

    func ask(_ method: String, _ path: String, _ body: String = "") throws -> String {
        let request =
            "\(method) /v1/providers/demo/\(path) HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
            + "\(credentials)Content-Length: \(body.utf8.count)\r\nConnection: close\r\n\r\n\(body)"
        if isSafe { return try sendSafely(request) }
        let connection = try TCPConnection(port: port)
        connection.send(request)
        return connection.read()
    }

    /// Sends a request over TLS, and returns the answer.
    private func sendSafely(_ request: String) throws -> String {
        let (process, input, output) = (Process(), Pipe(), Pipe())
        process.executableURL = URL(filePath: "/usr/bin/openssl")
        process.arguments = ["s_client", "-quiet", "-connect", "127.0.0.1:\(port)"]
        process.standardInput = input
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        input.fileHandleForWriting.write(Data(request.utf8))
        let answer = output.fileHandleForReading.readDataToEndOfFile()
        try input.fileHandleForWriting.close()
        process.waitUntilExit()
        return String(decoding: answer, as: UTF8.self)
    }

    /// Returns the metrics of the server.
    func metrics() throws -> String {
        let connection = try TCPConnection(port: port)
        connection.send("GET /metrics HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        return connection.read()
    }

    private func json(_ place: Place) -> String { #"{"latitude":\#(place.latitude),"longitude":\#(place.longitude)}"# }

    /// Creates a car that stands at this place.
    func put(_ car: String, at place: Place) throws {
        let kind = #""maximumCapacity":4,"supportedTripTypes":["EXCLUSIVE"],"vehicleType":{"category":"AUTO"}"#
        _ = try ask("POST", "vehicles?vehicleId=\(car)", #"{"vehicleState":"ONLINE",\#(kind)}"#)
        _ = try ask("PUT", "vehicles/\(car)?updateMask=lastLocation", #"{"lastLocation":{"location":\#(json(place))}}"#)
    }

    /// Creates a car, and sends it to the pickup of a trip.
    func sendCar(to trip: String) throws {
        try put("car-\(trip)", at: (latitude: -36.005, longitude: -19.99))
        let change = #"{"vehicleId":"car-\#(trip)","tripStatus":"ENROUTE_TO_PICKUP"}"#
        let answer = try ask("PUT", "trips/\(trip)?updateMask=vehicleId,tripStatus", change)
        try #require(answer.contains("200 OK"), "\(answer)")
    }

    /// Creates a car at the pickup, and books a trip for it. The trip's status is then ENROUTE_TO_DROPOFF.
    func book(_ trip: String, from start: Place, to end: Place) throws {
        try put(trip, at: start)
        let points = #""pickupPoint":{"point":\#(json(start))},"dropoffPoint":{"point":\#(json(end))}"#
        _ = try ask("POST", "trips?tripId=\(trip)", #"{"tripType":"EXCLUSIVE","vehicleId":"\#(trip)",\#(points)}"#)
        _ = try ask("PUT", "trips/\(trip)?updateMask=tripStatus", #"{"tripStatus":"ENROUTE_TO_DROPOFF"}"#)
    }

    /// Returns the remaining distance of a trip in metres; -1 if the answer has none.
    func metersLeft(_ trip: String) throws -> Int {
        try ask("GET", "trips/\(trip)").firstMatch(of: #/"remainingDistanceMeters":\s*"?(\d+)/#).flatMap { Int($0.1) } ?? -1
    }

    /// Reads a trip until its remaining distance is right, for at most a minute. Returns the last distance in metres, or -1 if the answer
    /// has none. An answer has none until the route is planned.
    func metersLeft(_ trip: String, until isRight: (Int) -> Bool) throws -> Int {
        let deadline = Date(timeIntervalSinceNow: 60)
        var meters = -1
        while Date() < deadline {
            meters = try metersLeft(trip)
            if isRight(meters) { break }
        }
        return meters
    }
}
