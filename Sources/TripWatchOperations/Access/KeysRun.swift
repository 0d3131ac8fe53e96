package import FleetEngineAccess
import FoundationEssentials
package import ProgramSurroundings

/// Lists the accounts of a folder.
package struct ListKeysRun: Sendable {
    /// Folder of the accounts; nil for the standard folder.
    package var folder: String?
    package var isJSON: Bool

    package init(folder: String?, isJSON: Bool = false) { (self.folder, self.isJSON) = (folder, isJSON) }

    package func perform(in surroundings: Surroundings) throws(Failure) -> ProgramEnd {
        let folder = try KeyFolder(folder, in: surroundings)
        let (ring, troubles) = try folder.read()
        for trouble in troubles { surroundings.streams.say(trouble) }
        SecretFile.warn(of: folder.privatePaths(of: ring), surroundings.streams)
        if isJSON {
            surroundings.streams.print(AccountLines.json(ring.accounts))
            return .success
        }
        if ring.accounts.isEmpty {
            surroundings.streams.say(
                "There are no accounts in \(printable(folder.path)): 'tripwatch token keys new ROLE --name NAME' creates one.")
        }
        for line in AccountLines.of(ring.accounts) { surroundings.streams.print(line) }
        return .success
    }
}

/// Creates an account.
package struct NewKeyRun: Sendable {
    /// Folder of the accounts; nil for the standard folder.
    package var folder: String?
    package var file: AccountFile

    package init(folder: String?, file: AccountFile) { (self.folder, self.file) = (folder, file) }

    package func perform(in surroundings: Surroundings) throws(Failure) -> ProgramEnd {
        Secrets.protectMemory()
        let account = try KeyFolder(folder, in: surroundings).add(file)
        for line in AccountLines.of([account]) { surroundings.streams.print(line) }
        return .success
    }
}

/// The accounts as JSON, or as a table with columns for role, name, kid, e-mail, and whether the file has the private key.
private enum AccountLines {
    private struct Row: Encodable {
        let role: String
        let name: String
        let kid: String
        let email: String
        let `private`: Bool
    }

    static func json(_ accounts: [Account]) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let rows = accounts.map {
            Row(role: $0.role.rawValue, name: $0.name, kid: $0.keyID, email: $0.email, private: $0.canSign)
        }
        return (try? encoder.encode(rows)).map { String(decoding: $0, as: UTF8.self) } ?? "[]"
    }

    static func of(_ accounts: [Account]) -> [String] {
        let rows = accounts.map { account in
            [account.role.rawValue, account.name, account.keyID, account.email].map(printable) + [account.canSign ? "private" : "public"]
        }
        let widths = (0..<4).map { column in rows.map { $0[column].count }.max() ?? 0 }
        return rows.map { row in
            zip(row, widths).map { text, width in text + String(repeating: " ", count: width - text.count + 2) }.joined() + row[4]
        }
    }
}
