import FleetEngineAPI
import Foundation
import GRPCCore
import SwiftProtobuf
import Synchronization
import TerminalHarness
import Testing
import TripTesting

@testable import ProgramHarness

private let name = "providers/demo/trips/made-up-ride"

/// A trip that the test can cancel. A provider backend and an engine both return its state.
private final class Ride: Sendable {
    private let isCanceledState = Mutex(false)
    var isCanceled: Bool { isCanceledState.withLock { $0 } }
    func cancel() { isCanceledState.withLock { $0 = true } }

    var engine: ScriptedFleetEngine {
        ScriptedFleetEngine { _, _, _ in
            .with {
                $0.name = name
                $0.tripStatus = self.isCanceled ? .canceled : .enrouteToPickup
                $0.vehicleID = "car-1"
            }
        }
    }
}

@Suite("cancel without an answer from the provider", .timeLimit(.minutes(2)))
struct CancelTests {
    /// Runs the command that cancels a trip, with a provider that gives this answer.
    /// - Parameter asksEngine: whether the command can also ask an engine, which returns the trip's state.
    private func cancel(
        _ ride: Ride, asksEngine: Bool = true, _ answer: @escaping @Sendable () -> ScriptedHTTPServer.Answer
    ) async throws -> Program.Outcome {
        try await ride.engine.serve { port in
            try await ScriptedHTTPServer.with { _, _ in
                answer()
            } _: { provider in
                let connection = asksEngine ? ["--endpoint", "127.0.0.1:\(port)", "--plaintext"] : []
                return try await background { try Program().run(["cancel", name, "--provider-url", provider.address] + connection) }
            }
        }
    }

    @Test("cancelled, but the answer was lost: the engine is asked, and the command succeeds")
    func lost() async throws {
        let ride = Ride()
        let outcome = try await cancel(ride) {
            ride.cancel()
            return .hangUp
        }
        #expect(outcome.status == 0)
        #expect(outcome.lines == ["cancelled made-up-ride"])
        #expect(outcome.errors.hasSuffix(". According to Fleet Engine, the trip is cancelled.\n"), "\(outcome.errors)")
    }

    @Test("a provider that fails and a trip that continues: not cancelled")
    func failing() async throws {
        let outcome = try await cancel(Ride()) { .reply(500, "{}") }
        #expect(outcome.status == 1 && outcome.lines.isEmpty)
        #expect(outcome.errors.hasPrefix("tripwatch: Not cancelled: ") && outcome.errors.contains("ENROUTE_TO_PICKUP"))
    }

    @Test("without an engine to ask, the trip may have been cancelled, and the message never says 'not'")
    func unknown() async throws {
        let outcome = try await cancel(Ride(), asksEngine: false) { .hangUp }
        #expect(outcome.status == 1 && outcome.lines.isEmpty)
        #expect(outcome.errors.hasPrefix("tripwatch: Perhaps cancelled: ") && !outcome.errors.contains("Not cancelled"))
    }

    @Test("if a provider refuses, the trip is not cancelled")
    func refused() async throws {
        let outcome = try await cancel(Ride()) { .reply(403, #"{"message":"no","status":403}"#) }
        #expect(outcome.status == 4 && outcome.errors.hasPrefix("tripwatch: Not cancelled: "))
    }

    @Test("a trip that the provider's id does not name is not cancelled: the name is compared first, and nothing is sent")
    func otherName() async throws {
        let body = #"{"trip":{"name":"providers/demo/trips/t1","tripStatus":"NEW"}}"#
        try await ScriptedHTTPServer.with { _, _ in
            .reply(200, body)
        } _: { provider in
            for words in [["providers/other/trips/t1"], ["t1", "--provider", "other"]] {
                let outcome = try await background { try Program().run(["cancel", "--provider-url", provider.address, "--json"] + words) }
                #expect(outcome.status == 3 && outcome.lines.isEmpty, "\(outcome)")
                #expect(
                    outcome.errors == "tripwatch: Not cancelled: providers/other/trips/t1 is not a trip of this provider. "
                        + "The provider has another trip with this id: providers/demo/trips/t1. To cancel that trip, give its full name.\n")
            }
            #expect(provider.requests.map(\.method) == ["GET", "GET"])
        }
    }

    @Test(
        "a provider that only books and cancels is not asked in vain: whatever it answers to the first request, the trip is cancelled",
        arguments: [302, 401, 403, 404, 405, 501])
    func noReading(status: Int) async throws {
        let body = #"{"name":"\#(name)","tripStatus":"CANCELED"}"#
        try await ScriptedHTTPServer.with { request, _ in
            request.method == "GET" ? .reply(status, "{}") : .reply(200, body)
        } _: { provider in
            let outcome = try await background { try Program().run(["cancel", name, "--provider-url", provider.address]) }
            #expect(outcome.status == 0 && outcome.lines == ["cancelled made-up-ride"], "\(outcome)")
        }
    }

    /// Opens a screen on which the user has confirmed the cancellation.
    private func canceling(port: Int, provider: String) throws -> ProgramOnTerminal {
        let follow = try ProgramOnTerminal([
            "follow", name, "--endpoint", "127.0.0.1:\(port)", "--plaintext", "--provider-url", provider, "--interval", "1",
        ])
        try follow.wait(for: "no position yet")
        follow.press("x")
        try follow.wait(for: "Cancel this trip?")
        follow.press("\t\r")
        return follow
    }

    @Test("on the screen, too, another trip of the same id is not cancelled")
    func otherNameOnScreen() async throws {
        try await Ride().engine.serve { port in
            try await ScriptedHTTPServer.with { _, _ in
                .reply(200, #"{"trip":{"name":"providers/other/trips/made-up-ride","tripStatus":"NEW"}}"#)
            } _: { provider in
                try await background {
                    let follow = try canceling(port: port, provider: provider.address)
                    try follow.wait(for: "The trip was not cancelled.")
                    try follow.wait(for: "the provider's trip") { $0.contains("providers/other/trips/made-up-ride") }
                    try follow.wait(for: "--provider-url")
                    follow.press("\u{3}")
                    #expect(try follow.end() == 0)
                }
                #expect(!provider.requests.isEmpty && provider.requests.allSatisfy { $0.method == "GET" })
            }
        }
    }

    @Test("after a quit before the provider's answer, the trip is still cancelled, and a sentence says so", arguments: [true, false])
    func quitting(answers: Bool) async throws {
        let body = #"{"name":"\#(name)","tripStatus":"CANCELED"}"#
        let trip = #"{"trip":\#(body)}"#
        let whole = "HTTP/1.1 200 X\r\ncontent-type: application/json\r\ncontent-length: \(trip.utf8.count)\r\n\r\n\(trip)"
        try await Ride().engine.serve { port in
            try await ScriptedHTTPServer.with { request, _ in
                guard answers else { return .stall("") }
                return request.method == "GET" ? .paced(["", whole], seconds: 2) : .reply(200, body)
            } _: { provider in
                let words = try await background { () throws -> String in
                    let follow = try canceling(port: port, provider: provider.address)
                    try follow.wait(for: "Asking the provider to cancel")
                    follow.press("\u{3}")
                    #expect(try follow.end() == 0)
                    return follow.terminal.visibleOutput
                }
                #expect(provider.requests.map(\.method) == ["GET", "PUT"])
                let outcome =
                    answers
                    ? "The trip made-up-ride was cancelled."
                    : "It is not known whether the trip made-up-ride was cancelled: the provider has not answered. "
                        + "To make sure that it is cancelled, run 'tripwatch cancel \(name)'."
                #expect(words.contains(outcome), "\(words.suffix(600))")
                #expect(answers || words.contains("waiting for the provider's answer to the cancellation …"), "\(words.suffix(600))")
            }
        }
    }

    @Test("on the screen, after a lost answer, the trip's own state decides", arguments: [true, false])
    func screen(isCanceled: Bool) async throws {
        let ride = Ride()
        try await ride.engine.serve { port in
            try await ScriptedHTTPServer.with { _, _ in
                if isCanceled { ride.cancel() }
                return .hangUp
            } _: { provider in
                try await background {
                    let follow = try canceling(port: port, provider: provider.address)
                    if isCanceled {
                        try follow.wait(for: "Trip cancelled.")
                    } else {
                        try follow.wait(for: "The trip may have been cancelled.")
                        try follow.wait(for: "The trip was not cancelled.")
                        follow.press("q")
                        try follow.wait(for: "the closed dialog") { !$0.contains("was not cancelled") }
                    }
                    follow.press("q")
                    #expect(try follow.end() == 0)
                }
            }
        }
    }
}

/// Runs blocking work on a separate thread, so that the servers of the same test keep running.
func background<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
        Thread.detachNewThread { continuation.resume(with: Result { try work() }) }
    }
}
