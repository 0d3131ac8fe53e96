import JWTKit

/// The key that verifies a token.
typealias OpenKey = Insecure.RSA.PublicKey
/// The key that signs a token.
typealias SecretKey = Insecure.RSA.PrivateKey
