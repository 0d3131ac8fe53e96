import CryptoExtras
import FoundationEssentials
import Geo
import JWTKit

extension Account {
    /// Makes an account with a new key of 2048 bits.
    ///
    /// - Returns: the account, and the content of its file.
    /// - Throws: `AccountError` if the system provides no randomness.
    public static func make(_ file: AccountFile) throws(AccountError) -> (account: Account, bytes: [UInt8]) {
        guard let key = try? _RSA.Signing.PrivateKey(keySize: .bits2048), let secret = try? SecretKey(backing: key) else {
            throw AccountError(description: "the key could not be generated")
        }
        let text = try contents(of: file, pem: key.pkcs8PEMRepresentation + "\n", key: secret.publicKey)
        let bytes = Array(text.utf8)
        return (try Account(file, bytes: bytes), bytes)
    }

    private static func contents(of file: AccountFile, pem: String, key: OpenKey) throws(AccountError) -> String {
        guard file.form == .serviceAccount else { return pem }
        // Google's key ids are 20 bytes, written in hexadecimal.
        let digest = (try? URLSafeBase64.decode(try thumbprint(key)))?.prefix(20) ?? []
        let keyID = digest.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
        var members = ServiceAccountFile(privateKeyID: keyID, privateKey: pem, clientEmail: localEmail(file.name))
        // Google's libraries require a client id. This program does not read it.
        members.clientID = digest.prefix(7).map { String(Int($0) % 90 + 10) }.joined()
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        guard let data = try? encoder.encode(members) else { throw AccountError(description: "cannot be written as JSON") }
        return String(decoding: data, as: UTF8.self) + "\n"
    }
}
