import FleetEngine
import FoundationEssentials
import Testing

@Suite("Looking into a token")
struct TokenInspectionTests {
    private let now = Date(timeIntervalSince1970: 1_935_756_000)

    private static let good = """
        {"iss":"fleet@example.invalid","sub":"fleet@example.invalid","aud":"https://fleetengine.googleapis.com/","iat":1935755700,
        "exp":1935759300,"authorization":{"tripid":"t1"},"color":"teal"}
        """

    private func inspect(
        _ claims: String = good, header: String = #"{"alg":"RS256","kid":"key-1","typ":"JWT"}"#, trip: String? = nil, vehicle: String? = nil
    ) -> TokenInspection {
        let token = AccessToken(secret: JSONWebTokens.make(header: header, claims: claims))
        return TokenInspection(token, context: AuthorizationContext(tripID: trip, vehicleID: vehicle), now: now)
    }

    @Test("a good token: facts, no warning, and no part of its text")
    func good() {
        let secret = JSONWebTokens.make(claims: Self.good)
        let inspection = inspect(trip: "t1")
        #expect(inspection.warnings.isEmpty)
        #expect(
            inspection.lines == [
                "token      \(secret.utf8.count) bytes, not shown", "algorithm  RS256", "key        key-1",
                "issuer     fleet@example.invalid", "audience   https://fleetengine.googleapis.com/", "trip       t1",
                "issued     2031-05-05T13:55:00Z (5 min ago)", "expires    2031-05-05T14:55:00Z (in 55 min)", "claims     color",
            ])
    }

    @Test("neither the token nor its signature appears in lines, JSON or description")
    func secrecy() throws {
        let secret = JSONWebTokens.make(claims: Self.good)
        let inspection = inspect()
        let json = String(decoding: try JSONEncoder().encode(inspection), as: UTF8.self)
        for part in secret.split(separator: ".") {
            for text in inspection.lines + [json, "\(inspection)", String(reflecting: inspection)] { #expect(!text.contains(part)) }
        }
    }

    @Test(
        "each fault has its warning",
        arguments: [
            (TokenInspection.Warning.expired, #""exp":1935759300"#, #""exp":1935755999"#),
            (.noExpiry, #""exp":1935759300,"#, ""), (.notYetValid, #""iat":1935755700"#, #""iat":1935756601"#),
            (.notYetValid, #""color":"teal""#, #""nbf":1935756601"#), (.lifetimeTooLong, #""iat":1935755700"#, #""iat":1935755689"#),
            (.wrongAudience, "googleapis.com/", "googleapis.com"), (.noAuthorization, #""authorization":{"tripid":"t1"},"#, ""),
            (.noAuthorization, #"{"tripid":"t1"}"#, "{}"), (.wildcard, #""t1""#, #""*""#), (.otherTrip, #""t1""#, #""t2""#),
            (.otherTrip, "tripid", "vehicleid"),
        ])
    func warnings(warning: TokenInspection.Warning, part: String, replacement: String) {
        let claims = Self.good.replacing("\n", with: "").replacing(part, with: replacement)
        let found = inspect(claims, trip: "t1").warnings
        #expect(found.contains(warning), "\(found)")
        #expect(found.allSatisfy { $0 == warning || warning == .noAuthorization && $0 == .otherTrip })
    }

    @Test("ten seconds over an hour are accepted", arguments: ["1935755700", "1935755699.99998", "1935755690"])
    func lifeTolerance(issued: String) {
        #expect(inspect(Self.good.replacing("1935755700", with: issued), trip: "t1").warnings.isEmpty)
    }

    @Test("vehicle tokens, audiences in a list, deliveries")
    func otherKinds() {
        let claims = Self.good.replacing("tripid", with: "vehicleid").replacing(
            "\"https://fleetengine.googleapis.com/\"", with: "[\"x\",\"https://fleetengine.googleapis.com/\"]")
        #expect(inspect(claims, vehicle: "t1").warnings.isEmpty)
        #expect(inspect(claims, vehicle: "v2").warnings == [.otherVehicle])
        let other = inspect(Self.good.replacing("\"tripid\":\"t1\"", with: "\"zone\":\"north\",\"depot\":\"d\""))
        #expect(other.warnings.isEmpty && other.lines.contains("also for   depot, zone"))
    }

    @Test("each claim about deliveries has its line and its key")
    func deliveries() throws {
        let told = #""trackingid":"p1","taskid":"*","taskids":["t1","t2"],"deliveryvehicleid":"v","trusted":true,"readonly":true"#
        let delivery = inspect(Self.good.replacing(#""tripid":"t1""#, with: told))
        #expect(delivery.warnings.isEmpty)
        let lines = [
            "shipment   p1", "task       * (any)", "tasks      t1, t2", "van        v", "trusted    yes: can change stops and tasks",
            "read-only  yes: cannot change anything",
        ]
        #expect(delivery.lines.filter { line in lines.contains(line) || line.hasPrefix("also for") } == lines)
        let json = String(decoding: try JSONEncoder().encode(delivery), as: UTF8.self)
        for member in [
            #""tracking_id":"p1""#, #""task_id":"*""#, #""task_ids":["t1","t2"]"#, #""delivery_vehicle_id":"v""#, #""trusted":true"#,
            #""read_only":true"#, #""other_authorizations":[]"#,
        ] { #expect(json.contains(member), "\(json)") }
        for claim in [#""trackingid":"p1""#, #""taskids":["t1"]"#, #""deliveryvehicleid":"v""#] {
            #expect(inspect(Self.good.replacing(#""tripid":"t1""#, with: claim)).warnings.isEmpty)
        }
        let none = inspect(Self.good.replacing(#""tripid":"t1""#, with: #""trusted":true,"readonly":"yes","taskids":[]"#))
        #expect(none.warnings == [.noAuthorization] && !none.lines.contains { $0.hasPrefix("read-only") })
    }

    @Test("a token that servers refuse is fatal: another audience, but not an admin's token, which needs no ids")
    func fatal() {
        let refused = inspect(Self.good.replacing("googleapis.com/", with: "googleapis.com")).warnings
        #expect(refused == [.wrongAudience] && refused.allSatisfy(\.isFatal))
        let bare = inspect(Self.good.replacing(#""authorization":{"tripid":"t1"},"#, with: "")).warnings
        #expect(bare == [.noAuthorization] && !bare.contains(where: \.isFatal))
    }

    @Test("the signature: RS256, another algorithm, none")
    func algorithms() {
        #expect(inspect(header: #"{"alg":"none"}"#).warnings == [.unsigned])
        #expect(inspect(header: "{}").warnings == [.unsigned])
        #expect(inspect(header: #"{"alg":"HS256"}"#).warnings == [.otherAlgorithm])
        let refused: [TokenInspection.Warning] = [.unsigned, .otherAlgorithm, .lifetimeTooLong]
        #expect(refused.allSatisfy { $0.isFatal })
    }

    @Test("a token of another kind")
    func opaque() throws {
        let inspection = TokenInspection(AccessToken(secret: "abc", expiresAt: now.addingTimeInterval(40)), now: now)
        #expect(inspection.warnings == [.notAJSONWebToken])
        #expect(inspection.lines.prefix(2) == ["token      3 bytes, not shown", "expires    2031-05-05T14:00:40Z (in 40 s)"])
        let json = String(decoding: try JSONEncoder().encode(inspection), as: UTF8.self)
        #expect(json.contains("\"is_jwt\":false") && json.contains("\"trip_id\":null") && json.contains("\"remaining_s\":40"))
    }

    @Test("hostile claims neither trap nor reach the terminal unchanged")
    func hostile() {
        for number in ["1e308", "-1e308", "9223372036854775807", "\"NaN\"", "null", "[]"] {
            let claims = #"{"iss":"a\u001b[31mb\u202ec\nd","iat":\#(number),"exp":\#(number),"nbf":\#(number),"authorization":7,"aud":{}}"#
            let lines = inspect(claims).lines
            #expect(lines.contains("issuer     a [31mbc d"))
            #expect(lines.allSatisfy { $0.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F } })
        }
        let long = inspect("{\"iss\":\"\(String(repeating: "i", count: 10_000))\"}").lines
        #expect(long.allSatisfy { $0.count <= 220 })
    }

    @Test(
        "durations in words",
        arguments: [(0.0, "0 s"), (59.9, "59 s"), (60, "1 min"), (3_600, "1 h"), (3_900, "1 h 5 min"), (200_000, "2 d")])
    func spans(seconds: Double, words: String) {
        let token = AccessToken(secret: "abc", expiresAt: now.addingTimeInterval(seconds))
        #expect(TokenInspection(token, now: now).lines.contains { $0.hasSuffix("(in \(words))") })
    }
}
