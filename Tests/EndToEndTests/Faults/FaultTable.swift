import Foundation
import Glibc
import Testing
import TripTesting

@testable import ProgramHarness

/// The table of faults. By default, one third of its rows run, and the commit decides which third. TRIPWATCH_FAULTS=all runs all rows and
/// prints the table.
enum FaultTable {
    private static let rowsAtOnce = 4
    private static let runsAll = ProcessInfo.processInfo.environment["TRIPWATCH_FAULTS"] == "all"

    /// Which third of the table runs: 0, 1 or 2.
    private static let third: Int = {
        let git = Process()
        let output = Pipe()
        git.executableURL = URL(filePath: "/usr/bin/env")
        git.arguments = ["git", "rev-parse", "HEAD"]
        git.currentDirectoryURL = Program.package
        git.standardOutput = output
        git.standardError = FileHandle.nullDevice
        guard (try? git.run()) != nil else { return 0 }
        let hash = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        git.waitUntilExit()
        return (Int(hash.prefix(8), radix: 16) ?? 0) % 3
    }()

    /// Returns the rows of a group that run this time.
    static func chosen(_ rows: [FaultRow]) -> [FaultRow] {
        runsAll ? rows : rows.enumerated().filter { $0.offset % 3 == third }.map(\.element)
    }

    /// Runs the rows of a group, several at the same time.
    static func run(_ rows: [FaultRow], certificate: FaultCertificate? = nil, sharesTrip: Bool = false) async throws {
        let rows = chosen(rows)
        guard !rows.isEmpty else { return }
        try await FaultServers.with(certificate, sharesTrip: sharesTrip) { servers in
            await withTaskGroup(of: Void.self) { group in
                for (index, row) in rows.enumerated() {
                    if index >= rowsAtOnce { await group.next() }
                    group.addTask { await run(row, servers) }
                }
            }
        }
    }

    private static func run(_ row: FaultRow, _ servers: FaultServers) async {
        do {
            let outcome = try await outcome(of: row, servers)
            if runsAll { FileHandle.standardError.write(Data((line(row, outcome) + "\n").utf8)) }
            if let problem = outcome.problem { Issue.record("\(row.name): \(problem)") }
        } catch {
            Issue.record("\(row.name): \(error)")
        }
    }

    private static func outcome(of row: FaultRow, _ servers: FaultServers) async throws -> FaultOutcome {
        let folder = try Folder()
        let id = "f-\(UUID().uuidString.prefix(8).lowercased())"
        let own: FaultEngine? =
            try await row.ownsEngine ? background { try FaultEngine(trip: id, isShared: row.side == .link, folder) } : nil
        defer { own?.stop() }
        let servers = own.map(servers.with) ?? servers
        let port = try LoopbackPort.free(SOCK_STREAM)
        let isAtStart = if case .struck = row.course { false } else { true }
        return try await FaultProxy.with(to: servers.port(row.side), isAtStart ? row.connection : .none) { proxy in
            let scene = FaultScene(
                servers: servers, proxy: proxy, side: row.side, folder: folder, id: id, engine: own, sparePort: port)
            return try await background {
                if scene.engine == nil { try scene.makeTrip() }
                return try row.play(in: scene)
            }
        }
    }

    /// Returns a row of the printed table.
    static func line(_ row: FaultRow, _ outcome: FaultOutcome) -> String {
        func seconds(_ value: Double?) -> String { value.map { String(format: "%.1f s", $0) } ?? "" }
        let figures = outcome.after.flatMap { after in
            outcome.before.map {
                "\($0.descriptors) → \(after.descriptors) | \($0.memoryKiB / 1_024) → \(after.memoryKiB / 1_024) MiB"
            }
        }
        let cells = [
            row.command, row.fault, row.words.replacing("|", with: "\\|"), outcome.exit.map { "\($0)" } ?? "",
            seconds(outcome.recoverySeconds),
            seconds(outcome.limitSeconds), figures ?? " | ", outcome.problem == nil ? "held" : "FAILED",
        ]
        return "fault: | " + cells.joined(separator: " | ") + " |"
    }
}
