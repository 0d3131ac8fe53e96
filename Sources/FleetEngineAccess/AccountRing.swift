/// The accounts that a Fleet Engine knows.
public struct AccountRing: Equatable, Sendable {
    /// The accounts, sorted by name.
    public let accounts: [Account]
    private let byKeyID: [String: Account]

    /// - Parameter accounts: the accounts; among several with the same key, the first by name counts.
    public init(_ accounts: [Account] = []) {
        self.accounts = accounts.sorted { $0.name < $1.name }
        byKeyID = Dictionary(self.accounts.map { ($0.keyID, $0) }) { first, _ in first }
    }

    func account(keyID: String) -> Account? { byKeyID[keyID] }

    /// The account that signs a role's tokens: the account with the role's own name, or else the first by name.
    ///
    /// - Parameter name: the name of another account, with or without its role in front; nil for the default.
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
