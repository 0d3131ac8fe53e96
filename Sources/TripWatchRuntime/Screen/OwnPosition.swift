import FleetEngine
import FoundationEssentials
import Geo
import LocationSources
import Navigation
import TripWatchScreen

/// The user's position from a receiver. Reports when the position has changed, and when it is no longer known.
@MainActor
struct OwnPosition {
    /// Largest movement that is ignored, metres. The position of a receiver that stands still drifts.
    private static let sameMeters = 5.0
    /// Time without reports after which the position counts as unknown, seconds.
    private static let longestSilenceSeconds = 60.0

    private let address: GPSDAddress
    private let time: any TimeSource

    init(_ address: GPSDAddress, time: any TimeSource) { (self.address, self.time) = (address, time) }

    /// Runs until its task is cancelled, and reconnects to a missing receiver.
    func run(tell: (AppEvent) -> Void) async {
        var failures = 0
        var told: String?
        while !Task.isCancelled {
            let problem: String
            do {
                let connection = try await GPSDConnection.open(address)
                (failures, told) = (0, nil)
                problem = try await follow(connection.source(time: time), tell)
            } catch let error as LocationSourceError {
                problem = "\(error)"
            } catch {
                return
            }
            guard !Task.isCancelled else { return }
            tell(.ownPosition(nil))
            if problem != told { tell(.notice("Your position: \(problem).")) }
            told = problem
            failures += 1
            guard (try? await Task.sleep(for: .seconds(RetryPace.retryableSeconds(failures)))) != nil else { return }
        }
    }

    /// Reports the positions of a source until it ends.
    /// - Returns: the reason for the end.
    private func follow(_ source: any LocationSource, _ tell: (AppEvent) -> Void) async throws -> String {
        var known: Coordinate?
        while true {
            do {
                let fix = try await source.nextFix(until: time.now().addingTimeInterval(Self.longestSilenceSeconds))
                guard let fix else {
                    if known != nil { tell(.ownPosition(nil)) }
                    known = nil
                    continue
                }
                if let known, known.distanceMeters(to: fix.coordinate) < Self.sameMeters { continue }
                known = fix.coordinate
                tell(.ownPosition(fix.coordinate))
            } catch let error as LocationSourceError {
                return "\(error)"
            }
        }
    }
}
