/// The accounts that a Fleet Engine knows.
public struct AccountRing: Equatable, Sendable {
    /// By name.
    public let accounts: [Account]
    private let byKeyID: [String: Account]

    /// - Parameter accounts: of several with the same key the first by name counts.
    public init(_ accounts: [Account] = []) {
        self.accounts = accounts.sorted { $0.name < $1.name }
        byKeyID = Dictionary(self.accounts.map { ($0.keyID, $0) }) { first, _ in first }
    }

    func account(keyID: String) -> Account? { byKeyID[keyID] }

    /// The account whose key makes a role's tokens: the one that is named exactly as the role, else the first by name.
    ///
    /// - Parameter name: another's, with or without its role before it; nil for none.
    /// - Throws: `AccountError` where there is none, or its private key is elsewhere.
    public func signer(_ role: AccountRole, named name: String? = nil) throws(AccountError) -> Account {
        let candidates = accounts.filter { $0.role == role }
        let found =
            if let name {
                candidates.first { $0.name == name } ?? candidates.first { $0.name == "\(role.rawValue)-\(name)" }
            } else {
                candidates.first { $0.name == role.rawValue } ?? candidates.first
            }
        guard let found else { throw AccountError(description: "there is no \(role.rawValue) account" + (name.map { " \($0)" } ?? "")) }
        guard found.canSign else { throw AccountError(description: "there is no private key of \(found.name)") }
        return found
    }
}
