import FleetEngine
import FleetEngineGRPC
import FoundationEssentials
import JourneySharing
import Logging
import ProgramSurroundings
import TripWatchRuntime
import TripWatchSharing
import TripWatchWords

/// Follows the shipments of all links, and sends their updates to the links.
@MainActor
final class ShipmentShareSession {
    private let run: ShareRun
    private let desk: ShareDesk
    private let surroundings: Surroundings
    private let time: any TimeSource
    private let service: ShipmentService
    /// Whether the shipments are also shown on a screen. If so, the screen reports their errors.
    private let isBesideScreen: Bool
    private var followers: [ShipmentFollower] = []
    private var trouble: ShareTrouble

    /// - Parameter screenService: the service of a screen that also follows the shipments and reports their errors; nil without a
    ///   screen.
    init(
        run: ShareRun, desk: ShareDesk, client: any ShipmentClient, surroundings: Surroundings, screenService: ShipmentService? = nil
    ) {
        self.run = run
        self.desk = desk
        self.surroundings = surroundings
        time = surroundings.clock(1)
        isBesideScreen = screenService != nil
        let minimum = Pace.minimumSeconds(for: run.connection.endpoint)
        service = screenService ?? ShipmentService(client: client, time: time, minimumInterval: minimum)
        trouble = ShareTrouble(surroundings.streams)
    }

    /// Waits until each shipment's first call was answered or has failed, and then creates the links.
    /// - Throws: `Failure` if a shipment does not exist or if access to it is denied.
    func start() async throws {
        let options = ShipmentModelOptions(autoRefreshTimeInterval: run.pace.seconds)
        followers = run.shipments.map { ShipmentFollower(service.shipmentModel(for: $0, options: options)) }
        for follower in followers {
            follower.start()
            if isBesideScreen { follower.askNow() }
        }
        for follower in followers {
            guard let failure = await follower.updates.firstFailure() else { continue }
            let sentence = ShipmentFailureWords(failure, of: follower.name).sentence(at: run.connection.endpoint.description)
            if !failure.isWithinGrace, let code = failure.errorClass.exitCode(for: failure.error) {
                throw Failure(message: sentence, exitCode: code)
            }
            if !isBesideScreen { trouble.sayThatNothingAnswered(.shipment(follower.name), sentence) }
        }
        let settings = run.linkSettings(at: time.now(), in: surroundings)
        for follower in followers {
            desk.add(try SharedShipment(secret: LinkSecret(), source: follower.name, settings: settings, now: time.now()))
            surroundings.log.info("link", metadata: ["tracking": "\(follower.name.trackingID)"])
            follower.updates.hear { [weak self, weak follower] update in
                if let follower { self?.observe(update, pollIntervalSeconds: follower.pollIntervalSeconds) }
            }
        }
    }

    func stop() { for follower in followers { follower.stop() } }

    private func observe(_ update: ShipmentUpdate, pollIntervalSeconds: Double) {
        let subject = FollowedName.shipment(update.name)
        sayTrouble(update, of: subject)
        desk.change(subject) { (link: inout SharedShipment) in link.observe(update, pollIntervalSeconds: pollIntervalSeconds) }
    }

    private func sayTrouble(_ update: ShipmentUpdate, of subject: FollowedName) {
        guard !isBesideScreen else { return }
        switch update.kind {
        case .failure(let failure): trouble.say(failure, of: subject, ShipmentFailureWords(failure, of: update.name).sentence)
        case .shipment: trouble.end(of: subject)
        case .replaced, .recovered, .state, .ended: break
        }
    }
}
