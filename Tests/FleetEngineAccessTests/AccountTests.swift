import CryptoExtras
import Foundation
import JWTKit
import Testing

@testable import FleetEngineAccess

@Suite("Accounts")
struct AccountTests {
    @Test(
        "the role is the part of the file's name before the first - or .",
        arguments: [
            ("driver.pem", AccountRole.driver, "driver", AccountFile.Form.pem), ("driver-anna.pem", .driver, "driver-anna", .pem),
            ("server-a-b.c.json", .server, "server-a-b.c", .serviceAccount), ("admin.json", .admin, "admin", .serviceAccount),
            ("consumer.old.pem", .consumer, "consumer.old", .pem),
        ])
    func names(fileName: String, role: AccountRole, name: String, form: AccountFile.Form) throws {
        let file = try #require(AccountFile(fileName: fileName))
        #expect(file.role == role && file.name == name && file.form == form && file.fileName == fileName)
    }

    @Test(
        "a file with another name is not an account",
        arguments: [
            "desk.key", "Driver.pem", "drivers.pem", ".pem", "", "driver", "pem", "driver.pem.12.draft", "-driver.pem", "x-driver.json",
        ])
    func foreignNames(fileName: String) { #expect(AccountFile(fileName: fileName) == nil) }

    @Test(
        "a new account's name is short and has only simple characters",
        arguments: ["", "a b", "a/b", "ä", String(repeating: "a", count: 65), "a\n"])
    func newNames(suffix: String) { #expect(AccountFile(role: .driver, suffix: suffix, form: .pem) == nil) }

    @Test("a new account can be read again, in each format", arguments: AccountFile.Form.allCases)
    func roundTrip(form: AccountFile.Form) throws {
        let file = try #require(AccountFile(role: .driver, suffix: "anna", form: form))
        let (account, bytes) = try Account.make(file)
        #expect(try Account(file, bytes: bytes) == account)
        #expect(account.canSign && account.email == "driver-anna@tripwatch.local")
        #expect(!"\(account)".contains("PRIVATE"))
        if form == .pem {
            #expect(String(decoding: bytes, as: UTF8.self).hasPrefix("-----BEGIN PRIVATE KEY-----\n"))
        } else {
            let members = try #require(try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: String])
            #expect(members["type"] == "service_account" && members["private_key_id"] == account.keyID)
            #expect(members["client_email"] == account.email && members["private_key"]?.hasPrefix("-----BEGIN PRIVATE KEY-----\n") == true)
            #expect(account.keyID.count == 40 && members["client_id"]?.isEmpty == false && members["token_uri"]?.isEmpty == false)
        }
    }

    /// Checks the key in RFC 7638, section 3.1, against the thumbprint in the same section.
    @Test("the kid of a PEM key is its RFC 7638 thumbprint")
    func thumbprint() throws {
        let modulus =
            "0vx7agoebGcQSuuPiLJXZptN9nndrQmbXEps2aiAFbWhM78LhWx4cbbfAAtVT86zwu1RK7aPFFxuhDR1L6tSoc_BJECPebWKRXjBZCiFV4n3oknjhMst"
            + "n64tZ_2W-5JsGY4Hc5n9yBXArwl93lqt7_RN5w6Cf0h4QyQ5v-65YGjQR0_FDW2QvzqY368QQMicAtaSqzs8KJZgnYb9c7d0zgdAZHzu6qMQvRL5hajrn1n91CbOpbI"
            + "SD08qNLyrdkt-bFTWhAI4vMQFh6WeZu0fM4lFd2NcRwr3XPksINHaQ-G_xBniIqbw0Ls1jF44-csFCur-kEgU8awapJzKnqDKgw"
        let key = try OpenKey(modulus: modulus, exponent: "AQAB")
        #expect(try Account.thumbprint(key) == "NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs")
    }

    @Test("a public key is an account that cannot sign")
    func publicKey() throws {
        let account = try TestAccounts.of(.server)
        let file = try #require(AccountFile(fileName: "server-far.pem"))
        let open = try Account(file, bytes: Array(account.publicKey.pemRepresentation.utf8))
        #expect(!open.canSign && open.keyID == account.keyID && open.email == "server-far@tripwatch.local")
        #expect(throws: AccountError(description: "the account server-far has no private key")) { try AccountRing([open]).signer(.server) }
    }

    private static let broken: [(String, String)] = [
        ("driver.pem", ""), ("driver.pem", "no key"), ("driver.pem", "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n"),
        ("driver.pem", "-----BEGIN PRIVATE KEY-----"), ("driver.pem", String(repeating: "-----BEGIN", count: 5_000)),
        ("driver.json", "{}"), ("driver.json", "["), ("driver.json", String(repeating: "[", count: 60_000)),
        ("driver.json", #"{"type":"authorized_user","private_key_id":"a","private_key":"b","client_email":"c"}"#),
        ("driver.json", #"{"type":"service_account","private_key_id":"a","private_key":"b","client_email":"c"}"#),
        ("driver.json", #"{"type":"service_account","private_key_id":"","private_key":"b","client_email":"c"}"#),
        ("driver.json", #"{"type":"service_account","private_key_id":7,"private_key":"b","client_email":"c"}"#),
    ]

    @Test("a file without a key is refused with an explanation", arguments: broken)
    func brokenFiles(fileName: String, text: String) throws {
        let file = try #require(AccountFile(fileName: fileName))
        #expect(throws: AccountError.self) { try Account(file, bytes: Array(text.utf8)) }
        #expect(throws: AccountError.self) { try Account(file, bytes: [0xFF, 0xFE] + Array(text.utf8)) }
    }

    @Test("a key of 1024 bits and one of an elliptic curve are refused")
    func weakKeys() throws {
        let file = try #require(AccountFile(fileName: "driver.pem"))
        let small = try _RSA.Signing.PrivateKey(unsafeKeySize: .init(bitCount: 1_024)).pemRepresentation
        #expect(throws: AccountError.self) { try Account(file, bytes: Array(small.utf8)) }
        #expect(throws: AccountError.self) { try Account(file, bytes: Array(ES256PrivateKey().pemRepresentation.utf8)) }
    }

    @Test("a role's tokens are signed by the requested account, or else by the one named after the role, or else by the first")
    func signers() throws {
        let key = try TestAccounts.of(.driver)
        func account(_ name: String, role: AccountRole = .driver) -> Account {
            Account(role: role, name: name, keyID: name, email: name, publicKey: key.publicKey, privateKey: key.privateKey)
        }
        let ring = AccountRing([account("driver-b"), account("driver"), account("driver-a"), account("server-z", role: .server)])
        #expect(try ring.signer(.driver).name == "driver")
        #expect(try AccountRing([account("driver-b"), account("driver-a")]).signer(.driver).name == "driver-a")
        #expect(try ring.signer(.driver, named: "b").name == "driver-b")
        #expect(try ring.signer(.driver, named: "driver-a").name == "driver-a")
        #expect(throws: AccountError.self) { try ring.signer(.consumer) }
        #expect(throws: AccountError.self) { try ring.signer(.driver, named: "server-z") }
    }
}
