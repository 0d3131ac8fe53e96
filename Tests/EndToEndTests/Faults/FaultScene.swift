import Foundation
import Synchronization
import Testing
import TripTesting

@testable import ProgramHarness

/// The servers of a scenario, and a proxy in front of one of these servers.
struct FaultScene: Sendable {
    let servers: FaultServers
    let proxy: FaultProxy
    let side: FaultRow.Side
    private(set) var folder: Folder
    /// An id that no other scenario uses.
    let id: String
    /// The scenario's own engine; nil to use the engine that all scenarios share.
    var engine: FaultEngine?
    /// A port on which no program listens.
    var sparePort = 0

    var trip: String { "providers/demo/trips/\(id)" }

    /// Whether the scenario's engine or provider API uses TLS.
    private var isSafe: Bool { side == .safeEngine || side == .safeDesk }

    private func address(_ side: FaultRow.Side, _ port: Int) -> String { self.side == side ? proxy.address : "127.0.0.1:\(port)" }

    /// Replaces the placeholders in an argument with the addresses and names of this scene.
    func filled(_ argument: String) -> String {
        let desk = side == .safeDesk ? "https://\(proxy.address)" : "http://\(address(.desk, servers.deskPort))"
        let links = "\(servers.link?.scheme ?? "http")://\(address(.link, servers.port(.link)))"
        let values = [
            "trip": trip, "id": id, "port": "\(sparePort)", "vehicle": "car-\(id)", "folder": folder.path,
            "ca": servers.folder.path + "/cert.pem",
            "engine": side == .safeEngine ? proxy.address : address(.engine, servers.enginePort),
            "desk": desk, "web": "http://" + address(.web, servers.webPort), "link": links + (servers.link?.path ?? ""),
            "shipmentLink": links + (servers.shipmentLink?.path ?? ""),
        ]
        return values.reduce(argument) { $0.replacing("{\($1.key)}", with: $1.value) }
    }

    /// Returns the same scene with another folder, for a second program.
    func elsewhere() throws -> FaultScene {
        var scene = self
        scene.folder = try Folder()
        return scene
    }

    /// Changes the fault and waits until it is in effect. Must be called on a thread that may block.
    func set(_ fault: ConnectionFault) throws {
        let proxy = proxy
        let answer = Answer()
        Task.detached {
            do { try await proxy.set(fault) } catch { answer.error.withLock { $0 = error } }
            answer.isThere.signal()
        }
        answer.isThere.wait()
        if let error = answer.error.withLock({ $0 }) { throw error }
    }

    private final class Answer: Sendable {
        let error = Mutex<(any Error)?>(nil)
        let isThere = DispatchSemaphore(value: 0)
    }

    /// Calls to the server that do not go through the proxy.
    var calls: RESTCalls {
        get throws { try RESTCalls("127.0.0.1:\(isSafe ? servers.safeDeskPort : servers.deskPort)", isSafe: isSafe) }
    }

    /// The scenario's own engine; fails if the scenario has no engine of its own.
    var ownEngine: FaultEngine { get throws { try #require(engine) } }

    /// Creates the trip without a vehicle.
    func makeTrip() throws { try Self.makeTrip(id, calls) }

    /// Creates a trip without a vehicle.
    static func makeTrip(_ id: String, _ calls: RESTCalls) throws {
        let points =
            #""pickupPoint":{"point":{"latitude":-36.005,"longitude":-19.99}},"#
            + #""dropoffPoint":{"point":{"latitude":-36.01,"longitude":-19.98}}"#
        let answer = try calls.ask("POST", "trips?tripId=\(id)", #"{"tripType":"EXCLUSIVE",\#(points)}"#)
        try #require(answer.contains("200 OK"), "\(answer)")
    }

    /// Assigns the scene's vehicle to the trip, as soon as the vehicle is ONLINE. A driver that has just started may not have reported yet.
    func assign() throws {
        let limit = ContinuousClock.now + .seconds(30)
        var answer = ""
        repeat {
            answer = try calls.ask("PUT", "trips/\(id)?updateMask=vehicleId", #"{"vehicleId":"car-\#(id)"}"#)
        } while answer.contains("is OFFLINE") && ContinuousClock.now < limit
        try #require(answer.contains("200 OK"), "\(answer)")
    }

    /// Creates the scene's vehicle, and sends it to the trip's pickup.
    func sendCar() throws { try calls.sendCar(to: id) }

    /// Changes the status of the trip.
    func setStatus(_ status: String) throws {
        let answer = try calls.ask("PUT", "trips/\(id)?updateMask=tripStatus", #"{"tripStatus":"\#(status)"}"#)
        try #require(answer.contains("200 OK"), "\(answer)")
    }
}
