import FleetEngineCore
import Geo

extension PhoneKey {
    private static let keyBytes = 16

    /// Makes a new random key.
    static func make() -> String {
        var random = SystemRandomNumberGenerator()
        return URLSafeBase64.encode((0..<keyBytes).map { _ in UInt8.random(in: 0...255, using: &random) }, isPadded: false)
    }
}
