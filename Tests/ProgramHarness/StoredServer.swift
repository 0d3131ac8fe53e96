import Foundation
import Glibc
import Testing

/// A server with a database. The test sends requests to it over plain HTTP.
struct StoredServer {
    let running: Program.Running
    private let port: Int
    var httpPort: Int { port }

    init(_ file: String, _ more: String..., fileBlocks: Int? = nil, account: UInt32? = nil) throws {
        running = try Program().start(
            ["serve", "--grpc-port", "0", "--http-port", "0", "--database", file] + more, fileBlocks: fileBlocks, account: account)
        let words = try #require(running.line(), "\(running.errorLine() ?? "")")
        port = try #require(words.matches(of: /:([0-9]+)/).compactMap { Int($0.1) }.last)
    }

    /// Sends a request to a path below /v1/providers/demo. Returns nil if the answer is incomplete.
    func ask(_ method: String, _ path: String, _ body: String = "") -> (status: Int, body: String)? {
        askDesk(method, "/v1/providers/demo/\(path)", body).flatMap { $0.body.hasSuffix("}") ? $0 : nil }
    }

    /// Sends a request to any path. Returns nil if there is no answer.
    func askDesk(_ method: String, _ path: String, _ body: String = "") -> (status: Int, body: String)? {
        guard let connection = try? TCPConnection(port: port) else { return nil }
        connection.send(
            "\(method) \(path) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
                + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)")
        let text = connection.read()
        guard let end = text.firstRange(of: "\r\n\r\n"),
            let status = text[..<end.lowerBound].split(separator: " ").dropFirst().first.flatMap({ Int($0) })
        else { return nil }
        return (status, String(text[end.upperBound...]))
    }

    /// Creates a key for a car's phone, and returns it.
    func bookPhone(_ car: String) throws -> String {
        let answer = try #require(askDesk("POST", "/car/new", #"{"vehicleId":"\#(car)"}"#))
        return try #require(answer.body.firstMatch(of: #/"key":"([^"]+)"/#).map { String($0.1) }, "\(answer)")
    }

    /// Reports a phone's position in OsmAnd's format. Returns the status of the answer.
    func report(_ key: String, latitude: Double, at time: Double) -> Int? {
        askDesk("GET", "/car/\(key)/osmand?lat=\(latitude)&lon=8&speed=0&timestamp=\(time)")?.status
    }

    /// Waits until a trip has this status. Returns false after a minute.
    func hasStatus(_ trip: String, _ status: String) -> Bool {
        let deadline = Date(timeIntervalSinceNow: 60)
        while Date() < deadline {
            if ask("GET", "trips/\(trip)")?.body.contains(#""tripStatus":"\#(status)""#) == true { return true }
        }
        return false
    }

    func createVehicle(_ id: String) -> Int? {
        ask(
            "POST", "vehicles?vehicleId=\(id)",
            #"{"vehicleState":"ONLINE","maximumCapacity":4,"vehicleType":{"category":"AUTO"},"#
                + #""supportedTripTypes":["EXCLUSIVE"]}"#)?.status
    }

    /// Sets the attribute `n` of a vehicle, which is its only attribute. Returns the status of the answer.
    func setNumber(_ id: String, _ number: Int, filler: String = "") -> Int? {
        ask("POST", "vehicles/\(id):updateAttributes", #"{"attributes":[{"key":"n","value":"\#(number)\#(filler)"}]}"#)?.status
    }

    func number(_ id: String) throws -> Int {
        let body = try #require(ask("GET", "vehicles/\(id)")).body
        return try #require(body.firstMatch(of: #/"value":"(\d+)x*"/#).flatMap { Int($0.1) }, "\(body)")
    }

    func kill() {
        Glibc.kill(running.process.processIdentifier, SIGKILL)
        running.waitForEnd()
    }
}
