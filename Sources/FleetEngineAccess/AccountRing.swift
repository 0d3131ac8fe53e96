/// The accounts that an engine knows.
public struct AccountRing: Equatable, Sendable {
    /// The accounts, sorted by name.
    public let accounts: [Account]
    private let byKeyID: [String: Account]

    /// - Parameter accounts: the accounts. If several have the same key, the first one by name is used.
    public init(_ accounts: [Account] = []) {
        self.accounts = accounts.sorted { $0.name < $1.name }
        byKeyID = Dictionary(self.accounts.map { ($0.keyID, $0) }) { first, _ in first }
    }

    func account(keyID: String) -> Account? { byKeyID[keyID] }

    /// Returns the account that signs a role's tokens: the account whose name is the role, or else the role's first account by name.
    ///
    /// - Parameter name: the name of the account to use instead, with or without its role in front; nil for the default.
    /// - Throws: `AccountError` if there is no such account, or if its private key is not known.
    public func signer(_ role: AccountRole, named name: String? = nil) throws(AccountError) -> Account {
        let candidates = accounts.filter { $0.role == role }
        let found =
            if let name {
                candidates.first { $0.name == name } ?? candidates.first { $0.name == "\(role.rawValue)-\(name)" }
            } else {
                candidates.first { $0.name == role.rawValue } ?? candidates.first
            }
        guard let found else { throw AccountError(description: "there is no \(role.rawValue) account" + (name.map { " \($0)" } ?? "")) }
        guard found.canSign else { throw AccountError(description: "the account \(found.name) has no private key") }
        return found
    }
}
