import BoundedJSON
import FleetEngine
import FoundationEssentials
import Geo
import JWTKit

/// Checks tokens. Source: Google's page about JSON Web Tokens for Fleet Engine.
enum TokenCheck {
    /// - Parameters:
    ///   - token: the token, with its header, claims and signature.
    ///   - now: the current real time, in seconds since 1970.
    /// - Throws: UNAUTHENTICATED if the token is not valid, with the reason; PERMISSION_DENIED if it is valid but gives no rights.
    static func grant(_ token: String, _ accounts: AccountRing, now: Double) async throws(FleetEngineError) -> AccessGrant {
        let account = try account(token, accounts)
        let claims = try await verifiedClaims(token, account)
        guard claims.iss == account.email else { throw .unauthenticated("the token's 'iss' is not the account that owns the signing key") }
        guard claims.sub == account.email else { throw .unauthenticated("the token's 'sub' is not the account that owns the signing key") }
        guard claims.aud?.contains(TokenInspection.fleetEngineAudience) == true else {
            throw .unauthenticated("the token's 'aud' is not \(TokenInspection.fleetEngineAudience)")
        }
        let expiry = try checkedExpiry(claims, now: now)
        // An administrator's token does not need the ids of trips, vehicles or deliveries.
        guard account.role == .admin || claims.authorization?.isEmpty == false else {
            throw .refusedToken(.permissionDenied, "JWT does not contain any scopes.", reason: "ACCESS_TOKEN_SCOPE_INSUFFICIENT")
        }
        return AccessGrant(
            role: account.role, email: account.email, keyID: account.keyID, tripID: claims.authorization?.tripID,
            vehicleID: claims.authorization?.vehicleID, deliveries: claims.authorization?.deliveries ?? DeliveryClaims(),
            isReadOnly: claims.authorization?.isReadOnly ?? false, expiry: expiry)
    }

    /// Whether an account has signed the token. Nothing else about the token is checked.
    static func isSigned(_ token: String, by accounts: AccountRing) async -> Bool {
        guard let account = try? Self.account(token, accounts) else { return false }
        do throws(FleetEngineError) {
            _ = try await verifiedClaims(token, account)
            return true
        } catch {
            // Unreadable claims are the account owner's mistake, not a forgery.
            return error.message != wrongSignature
        }
    }

    private static let wrongSignature = "the token's signature is wrong"

    private struct Header: Decodable {
        let alg: String?
        let kid: String?
        let crit: [String]?
    }

    /// Checks the token's header, and returns the account whose key id it contains.
    private static func account(_ token: String, _ accounts: AccountRing) throws(FleetEngineError) -> Account {
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let bytes = try? URLSafeBase64.decode(String(parts[0])),
            let header = try? JSONDecoder().decodeBounded(Header.self, from: Data(bytes))
        else { throw .unauthenticated("the token is not a JSON Web Token") }
        // The library that reads the claims does not limit nested brackets.
        guard let claims = try? URLSafeBase64.decode(String(parts[1])), JSONNesting.isWithinLimit(claims) else {
            throw .unauthenticated("the token's claims cannot be read")
        }
        guard header.alg == "RS256" else { throw .unauthenticated("the token's 'alg' is not RS256") }
        // RFC 7515 requires refusing a token whose `crit` header lists an unknown extension.
        guard header.crit == nil else { throw .unauthenticated("the token's 'crit' is not supported") }
        guard let keyID = header.kid, !keyID.isEmpty else { throw .unauthenticated("the token has no 'kid'") }
        guard let account = accounts.account(keyID: keyID) else {
            throw .unauthenticated("the token's 'kid' does not name a key of this server")
        }
        return account
    }

    private static func verifiedClaims(_ token: String, _ account: Account) async throws(FleetEngineError) -> TokenClaims {
        let keys = await JWTKeyCollection().add(rsa: account.publicKey, digestAlgorithm: .sha256)
        do {
            return try await keys.verify(token, as: TokenClaims.self)
        } catch let error as JWTError where error.errorType == .signatureVerificationFailed {
            throw .unauthenticated(wrongSignature)
        } catch {
            throw .unauthenticated("the token's claims cannot be read")
        }
    }

    /// Checks the times of a token.
    /// - Returns: the time of expiry, in seconds since 1970.
    private static func checkedExpiry(_ claims: TokenClaims, now: Double) throws(FleetEngineError) -> Double {
        guard let issued = claims.iat, issued.isFinite else { throw .unauthenticated("the token has no 'iat'") }
        guard let expiry = claims.exp, expiry.isFinite else { throw .unauthenticated("the token has no 'exp'") }
        let latest = now + TokenInspection.clockToleranceSeconds
        guard issued <= latest, claims.nbf ?? 0 <= latest else { throw .unauthenticated("the token is not valid yet") }
        guard now < expiry else { throw .expiredToken }
        guard issued <= expiry else { throw .unauthenticated("the token's 'exp' is before its 'iat'") }
        guard expiry - issued <= TokenInspection.longestLifeSeconds + TokenInspection.lifeToleranceSeconds else {
            throw .unauthenticated("the token's 'exp' is more than 60 minutes after its 'iat'")
        }
        return expiry
    }
}

extension FleetEngineError {
    static var expiredToken: FleetEngineError {
        .refusedToken(.unauthenticated, "the token has expired", reason: "ACCESS_TOKEN_EXPIRED")
    }

    static func unauthenticated(_ sentence: String) -> FleetEngineError { FleetEngineError(code: .unauthenticated, message: sentence) }
}
