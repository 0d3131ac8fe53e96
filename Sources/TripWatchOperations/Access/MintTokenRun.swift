import FleetEngine
package import FleetEngineAccess
import FoundationEssentials
package import ProgramSurroundings
import TripWatchWords

/// Creates a token with the key of an account.
package struct MintTokenRun: Sendable {
    package var role: AccountRole
    /// Name of the account, with or without its role; nil for the role's default account.
    package var account: String?
    /// Bare id of the trip for which the token is valid; `*` for all trips.
    package var tripID: String?
    /// Bare id of the vehicle for which the token is valid; `*` for all vehicles.
    package var vehicleID: String?
    package var deliveries: DeliveryClaims
    package var lifeSeconds: Int64
    /// Folder of the keys; nil for the standard folder.
    package var folder: String?
    package var isJSON: Bool

    package init(
        role: AccountRole, account: String?, tripID: String?, vehicleID: String?, deliveries: DeliveryClaims, lifeSeconds: Int64,
        folder: String?, isJSON: Bool
    ) {
        self.role = role
        self.account = account
        self.tripID = tripID
        self.vehicleID = vehicleID
        self.deliveries = deliveries
        self.lifeSeconds = lifeSeconds
        self.folder = folder
        self.isJSON = isJSON
    }

    private struct Answer: Encodable {
        let jwt: String
        /// Expiry, in milliseconds since 1970.
        let expirationTimestamp: Int64
    }

    package func perform(in surroundings: Surroundings) async throws(Failure) -> ProgramEnd {
        Secrets.protectMemory()
        let folder = try KeyFolder(folder, in: surroundings)
        let (ring, troubles) = try folder.read()
        SecretFile.warn(of: folder.privatePaths(of: ring), surroundings.streams)
        let token: MintedToken
        do throws(AccountError) {
            token = try await MintedToken(
                try ring.signer(role, named: account), tripID: tripID, vehicleID: vehicleID, deliveries: deliveries,
                lifeSeconds: lifeSeconds, now: surroundings.clock(1).now())
        } catch {
            // A damaged file may belong to the requested account, so its error is reported.
            for trouble in troubles { surroundings.streams.say(trouble) }
            let isWithoutAccount = troubles.isEmpty && !ring.accounts.contains { $0.role == role }
            let advice = isWithoutAccount ? "; 'tripwatch token keys new \(role.rawValue) --name NAME' creates one" : ""
            throw Failure(message: "\(printable(folder.path)): \(printable(error.description))\(advice).", exitCode: ExitCodes.failed)
        }
        surroundings.streams.print(isJSON ? json(token) : token.secret)
        return .success
    }

    private func json(_ token: MintedToken) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let answer = Answer(jwt: token.secret, expirationTimestamp: token.expiresAt * 1_000)
        return (try? encoder.encode(answer)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }
}
