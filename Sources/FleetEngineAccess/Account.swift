import BoundedJSON
import Crypto
import FoundationEssentials
import Geo
import JWTKit

/// The reason why an account cannot be read, made or used.
public struct AccountError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The reason. If it is about a file, it continues a sentence that begins with the file's name.
    public let description: String

    /// - Parameter description: see ``description``.
    public init(description: String) { self.description = description }
}

/// An account of an engine: a key with its owner and role. The key never appears in a description.
public struct Account: Equatable, Sendable, CustomStringConvertible {
    /// The role, which decides what the account's tokens may do.
    public let role: AccountRole
    /// `ROLE` or `ROLE-NAME`, which is the name of the account's file without its extension.
    public let name: String
    /// The id of the account's key, which is the `kid` of its tokens.
    public let keyID: String
    /// The account's address, which is the `iss` and `sub` of its tokens.
    public let email: String
    let publicKey: OpenKey
    let privateKey: SecretKey?

    /// Whether the account's private key is known, so that it can sign tokens.
    public var canSign: Bool { privateKey != nil }

    public var description: String { "account \(name)" }

    /// Reads a file of the account folder.
    ///
    /// - Parameters:
    ///   - file: the parsed name of the file.
    ///   - bytes: the whole content of the file.
    /// - Throws: `AccountError` unless the content is an RSA key of at least 2048 bits in the form that the file's extension
    ///   requires.
    public init(_ file: AccountFile, bytes: [UInt8]) throws(AccountError) {
        guard let text = String(validating: bytes, as: UTF8.self) else { throw AccountError(description: "is not text") }
        switch file.form {
        case .pem: try self.init(file, pem: text)
        case .serviceAccount: try self.init(file, json: text)
        }
    }

    private init(_ file: AccountFile, pem: String) throws(AccountError) {
        let key = try Self.keys(pem)
        self.init(
            role: file.role, name: file.name, keyID: try Self.thumbprint(key.open), email: Self.localEmail(file.name), publicKey: key.open,
            privateKey: key.secret)
    }

    private init(_ file: AccountFile, json: String) throws(AccountError) {
        guard let members = try? JSONDecoder().decodeBounded(ServiceAccountFile.self, from: Data(json.utf8)), members.isUsable else {
            throw AccountError(
                description:
                    "is not a service-account key file: it needs the type 'service_account', private_key_id, private_key and client_email")
        }
        let key = try Self.keys(members.privateKey)
        guard key.secret != nil else { throw AccountError(description: "contains no private key") }
        self.init(
            role: file.role, name: file.name, keyID: members.privateKeyID, email: members.clientEmail, publicKey: key.open,
            privateKey: key.secret)
    }

    init(
        role: AccountRole, name: String, keyID: String, email: String, publicKey: OpenKey,
        privateKey: SecretKey?
    ) {
        self.role = role
        self.name = name
        self.keyID = keyID
        self.email = email
        self.publicKey = publicKey
        self.privateKey = privateKey
    }

    static func localEmail(_ name: String) -> String { name + "@tripwatch.local" }

    private static func keys(_ pem: String) throws(AccountError) -> (open: OpenKey, secret: SecretKey?) {
        let text = String(pem.drop(while: \.isWhitespace))
        if let secret = try? SecretKey(pem: text) { return (secret.publicKey, secret) }
        if let open = try? OpenKey(pem: text) { return (open, nil) }
        throw AccountError(description: "must contain an RSA key of at least 2048 bits in PEM, without a password")
    }

    /// Returns the key's JSON Web Key thumbprint (RFC 7638).
    static func thumbprint(_ key: OpenKey) throws(AccountError) -> String {
        guard let parts = try? key.getKeyPrimitives() else {
            throw AccountError(description: "contains an RSA key whose modulus and exponent cannot be read")
        }
        let text = #"{"e":"\#(number(parts.publicExponent))","kty":"RSA","n":"\#(number(parts.modulus))"}"#
        return URLSafeBase64.encode(Array(SHA256.hash(data: Data(text.utf8))), isPadded: false)
    }

    private static func number(_ bytes: Data) -> String { URLSafeBase64.encode(Array(bytes.drop { $0 == 0 }), isPadded: false) }
}
