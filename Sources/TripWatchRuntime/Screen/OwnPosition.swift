import FleetEngine
import FoundationEssentials
import Geo
import LocationSources
import Navigation
import TripWatchScreen

/// Reads the user's position from a receiver. Reports changes of the position, and the loss of the position.
@MainActor
struct OwnPosition {
    /// The largest change in position that is ignored, in metres. The reported position drifts even if the receiver is not moving.
    private static let sameMeters = 5.0
    /// The time without reports after which the position is no longer shown, in seconds.
    private static let longestSilenceSeconds = 60.0

    private let address: GPSDAddress
    private let time: any TimeSource

    init(_ address: GPSDAddress, time: any TimeSource) { (self.address, self.time) = (address, time) }

    /// Reports positions until the task is cancelled. Reconnects if the connection to the receiver fails.
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

    /// Reports the positions from a source until the source ends.
    /// - Returns: the reason why the source ended.
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
