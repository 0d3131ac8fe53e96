import FleetEngine
import FleetEngineAccess
import FleetEngineCore

/// The kind of a token for deliveries. The raw value is a path segment; case is ignored.
enum DeliveryTokenKind: String, Sendable {
    /// A token for a driver's app that only reports positions.
    case driver = "delivery_driver"
    /// A token for a consumer who follows one shipment.
    case consumer = "delivery_consumer"
    /// A token for an operator's page. The page reads all tasks and vehicles, but does not change them.
    case fleetReader = "fleet_reader"

    var role: AccountRole {
        switch self {
        case .driver: .driver
        case .consumer: .consumer
        case .fleetReader: .server
        }
    }

    /// Returns the claims of a token of this kind.
    /// - Parameter id: the vehicle id for a driver, the tracking id for a consumer; not used for a fleet reader.
    func claims(id: String) -> DeliveryClaims {
        switch self {
        case .driver: DeliveryClaims(vehicleID: id)
        case .consumer: DeliveryClaims(trackingID: id)
        case .fleetReader: DeliveryClaims(trackingID: "*", taskID: "*", vehicleID: "*")
        }
    }
}

/// Token object of the last-mile sample. It must be encoded with snake-case keys.
struct DeliveryTokenBody: Encodable, Hashable, Sendable {
    let token: String
    /// Time of creation, in milliseconds since 1970.
    let creationTimestampMs: Int64
    /// Time of expiry, in milliseconds since 1970.
    let expirationTimestampMs: Int64

    /// - Parameters:
    ///   - issuedAt: seconds since 1970.
    ///   - expiresAt: seconds since 1970.
    init(token: String, issuedAt: Int64, expiresAt: Int64) {
        self.token = token
        creationTimestampMs = issuedAt * 1_000
        expirationTimestampMs = expiresAt * 1_000
    }
}

extension ProviderDesk {
    /// Makes a token for deliveries.
    /// - Parameters:
    ///   - id: the vehicle id for a driver, the tracking id for a consumer; not used for a fleet reader.
    ///   - gate: signs the token, with the real time as the time of issue; nil leaves the token unsigned.
    /// - Throws: INVALID_ARGUMENT if the id is invalid or is the wildcard `*`; INTERNAL if there is no key to sign with.
    func token(_ kind: DeliveryTokenKind, id: String, signedBy gate: AccessGate?) async throws(FleetEngineError) -> DeliveryTokenBody {
        do throws(ResourceNameError) {
            switch kind {
            case .driver: _ = try DeliveryVehicleName(provider: provider, vehicle: id)
            case .consumer: _ = try TaskTrackingName(provider: provider, trackingID: id)
            case .fleetReader: break
            }
        } catch {
            throw .invalid(kind == .driver ? "vehicleId" : "trackingId", "\(error)")
        }
        guard kind == .fleetReader || id != "*" else {
            throw .invalid("id", "only a fleet reader's token covers everything: use /token/fleet_reader")
        }
        let claims = kind.claims(id: id)
        guard let gate else {
            let issuedAt = unixSeconds
            let token = UnsignedToken(kind.rawValue, UnsignedClaims(claims, kind), provider: provider, issuedAt: issuedAt)
            return DeliveryTokenBody(token: token.jwt, issuedAt: issuedAt, expiresAt: token.expiresAt)
        }
        do throws(AccountError) {
            let token = try await gate.mint(
                kind.role, tripID: nil, vehicleID: nil, deliveries: claims, isReadOnly: kind == .fleetReader)
            return DeliveryTokenBody(token: token.secret, issuedAt: token.issuedAt, expiresAt: token.expiresAt)
        } catch {
            throw FleetEngineError(code: .internal, message: "\(error)")
        }
    }
}

/// The claim `authorization` of an unsigned token.
private struct UnsignedClaims: Encodable {
    let trackingid: String?
    let taskid: String?
    let deliveryvehicleid: String?
    let readonly: Bool?

    init(_ claims: DeliveryClaims, _ kind: DeliveryTokenKind) {
        trackingid = claims.trackingID
        taskid = claims.taskID
        deliveryvehicleid = claims.vehicleID
        readonly = kind == .fleetReader ? true : nil
    }
}
