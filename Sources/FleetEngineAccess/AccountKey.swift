import JWTKit

/// What a token is checked with.
typealias OpenKey = Insecure.RSA.PublicKey
/// What a token is signed with.
typealias SecretKey = Insecure.RSA.PrivateKey
