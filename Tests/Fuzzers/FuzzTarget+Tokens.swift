import BoundedJSON
import CryptoExtras
import FleetEngine
import FleetEngineAccess
import FleetEngineWire
import FoundationEssentials
import Geo
import ProviderBackend

extension FuzzTarget {
    private static let now = Date(timeIntervalSince1970: 1_935_756_120)

    /// The reader of tokens. One line of input is a complete token. Two lines are the header and the claims of a token to sign.
    static let token = FuzzTarget(
        "token",
        seeds: [
            """
            {"alg":"RS256","typ":"JWT","kid":"KEY"}
            {"iss":"OWNER","sub":"OWNER","aud":"https://fleetengine.googleapis.com/","iat":1935756000,"exp":1935759000,\
            "authorization":{"tripid":"*","vehicleid":"v","taskids":["*"],"trackingid":"x","deliveryvehicleid":"*"}}
            """, "a.b.c", "eyJhbGciOiJub25lIn0.e30.",
        ], words: json + [".", "\"exp\"", "\"aud\"", "\"crit\"", "\"authorization\"", "\"*\"", "KEY", "OWNER", "\n", "=", "-", "_"]
    ) { input, _ in
        let maker = try signer.get()
        let lines = input.split(separator: UInt8(ascii: "\n"), maxSplits: 1)
        let text = lines.count == 2 ? try maker.token(lines) : String(decoding: input, as: UTF8.self)
        _ = TokenInspection(AccessToken(secret: text), context: AuthorizationContext(tripID: "t"), now: now)
        _ = try await maker.gate.grant(authorization: "Bearer " + text)
    }

    private static let signer = Result { try TokenSigner(now: now) }

    /// The readers of token answers, printed tokens, secret headers and token URLs, and of requests to a provider and its answers.
    static let provider = FuzzTarget(
        "provider",
        seeds: [
            #"{"jwt":"a.b.c","expirationTimestamp":1935759000000,"creationTimestamp":1}"#, "a.b.c\n",
            #"{"trip":{"name":"providers/p/trips/t","tripStatus":"NEW","vehicleId":"v","waypoints":[],"routeList":[]}}"#,
            #"{"pickup":{"latitude":1,"longitude":2},"dropoff":{"latitude":1,"longitude":3},"tripType":"SHARED","attributes":{"a":"b"}}"#,
            #"{"vehicleId":"v","backToBackEnabled":true,"supportedTripTypes":["EXCLUSIVE"],"maximumCapacity":4,"attributes":[]}"#,
            #"{"status":"NEW","intermediateDestinationIndex":0,"vehicleId":""}"#, "X-Key: secret", "https://example.com/token/{tripID}",
        ], words: json + ["\"jwt\"", "\"expirationTimestamp\"", "{tripID}", "{vehicleID}", "https://", "@", ": ", "\n", "\r"]
    ) { input, _ in
        let text = String(decoding: input, as: UTF8.self)
        let reader = TokenAnswerReader(origin: "token file")
        _ = try? reader.token(text, now: now)
        _ = try? reader.token(printed: text, now: now)
        _ = HeaderLine(text)
        if let url = try? TokenURL(text) { try FuzzFault.check(printable: url.description, of: "a token URL") }
        let (decoder, data) = (JSONDecoder(), Data(input))
        _ = try? decoder.decodeBounded(WrappedTripBody.self, from: data)
        _ = try? decoder.decodeBounded(NewTripBody.self, from: data).pickup?.coordinate
        _ = try? decoder.decodeBounded(VehicleSettingsBody.self, from: data).identity
        _ = try? decoder.decodeBounded(TripUpdateBody.self, from: data)
        _ = try decoder.decodeBounded(MessageBody.self, from: data)
    }
}

/// A new account, and an access gate that accepts the account's tokens.
private struct TokenSigner: Sendable {
    let gate: AccessGate
    private let account: Account
    private let key: _RSA.Signing.PrivateKey

    init(now: Date) throws {
        guard let file = AccountFile(fileName: "server.pem") else { throw FuzzFault(rule: "an account has no file") }
        let made = try Account.make(file)
        account = made.account
        key = try _RSA.Signing.PrivateKey(pemRepresentation: String(decoding: made.bytes, as: UTF8.self))
        gate = AccessGate(accounts: AccountRing([account]), deskKey: "key", now: { now })
    }

    /// Makes a signed token from a header and claims. In both, `KEY` becomes the id of the account's key, and `OWNER` becomes the
    /// account's address.
    func token(_ parts: [ArraySlice<UInt8>]) throws -> String {
        let signed = parts.map { part in
            let text = String(decoding: part, as: UTF8.self).replacing("KEY", with: account.keyID).replacing("OWNER", with: account.email)
            return URLSafeBase64.encode(Array(text.utf8), isPadded: false)
        }.joined(separator: ".")
        let signature = try key.signature(for: Data(signed.utf8), padding: .insecurePKCS1v1_5)
        return signed + "." + URLSafeBase64.encode(Array(signature.rawRepresentation), isPadded: false)
    }
}
