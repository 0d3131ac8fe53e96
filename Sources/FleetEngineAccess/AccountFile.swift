import FoundationEssentials

/// The parsed name of a file in the account folder: `ROLE[-NAME].pem` or `ROLE[-NAME].json`.
public struct AccountFile: Hashable, Sendable {
    /// The format of the file. The raw value is the extension of its name.
    public enum Form: String, CaseIterable, Hashable, Sendable {
        /// An RSA key in PEM, private or public.
        case pem
        /// A Google service-account key file.
        case serviceAccount = "json"
    }

    /// The account's role.
    public let role: AccountRole
    /// `ROLE` or `ROLE-NAME`.
    public let name: String
    /// The format of the file.
    public let form: Form

    /// The file's name with its extension.
    public var fileName: String { "\(name).\(form.rawValue)" }

    /// Parses the name of a file; nil if an account's file cannot have this name. The role is the part before the first `-` or `.`.
    public init?(fileName: String) {
        guard let form = Form.allCases.first(where: { fileName.hasSuffix(".\($0.rawValue)") }),
            let role = AccountRole(rawValue: String(fileName.prefix { $0 != "-" && $0 != "." }))
        else { return nil }
        self.role = role
        self.form = form
        name = String(fileName.dropLast(form.rawValue.count + 1))
    }

    /// Creates the file name of a new account; nil for a `suffix` that is not 1 to 64 ASCII letters, digits, `.`, `_` or `-`.
    ///
    /// - Parameter suffix: the part of the name after the role; nil to use the role alone.
    public init?(role: AccountRole, suffix: String?, form: Form) {
        if let suffix {
            let isPlain = suffix.utf8.allSatisfy { byte in
                (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte) || "-._".utf8.contains(byte)
            }
            guard isPlain, (1...64).contains(suffix.utf8.count) else { return nil }
        }
        self.role = role
        self.form = form
        name = role.rawValue + (suffix.map { "-" + $0 } ?? "")
    }
}

/// The members of a Google service-account key file that this program and Google's libraries need.
struct ServiceAccountFile: Codable {
    var type = "service_account"
    var projectID: String? = "tripwatch"
    var privateKeyID: String
    /// The key in PEM, as PKCS #8.
    var privateKey: String
    var clientEmail: String
    var clientID: String?
    var authURI: String? = "https://accounts.google.com/o/oauth2/auth"
    var tokenURI: String? = "https://oauth2.googleapis.com/token"
    var universeDomain: String? = "googleapis.com"

    enum CodingKeys: String, CodingKey {
        case type
        case projectID = "project_id"
        case privateKeyID = "private_key_id"
        case privateKey = "private_key"
        case clientEmail = "client_email"
        case clientID = "client_id"
        case authURI = "auth_uri"
        case tokenURI = "token_uri"
        case universeDomain = "universe_domain"
    }

    var isUsable: Bool { type == "service_account" && [privateKeyID, clientEmail].allSatisfy { (1...320).contains($0.utf8.count) } }
}
