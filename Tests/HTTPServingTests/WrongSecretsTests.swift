import NIOCore
import Synchronization
import Testing

@testable import HTTPServing

@Suite("Wrong keys and links of one address")
struct WrongSecretsTests {
    /// A clock that only moves when the test advances it.
    private final class Clock: Sendable {
        private let moment = Mutex(ContinuousClock.now)

        var now: ContinuousClock.Instant { moment.withLock { $0 } }

        func advance(by duration: Duration) { moment.withLock { $0 += duration } }
    }

    /// Tries different wrong secrets until one is refused because there were too many tries.
    /// - Returns: the number of tries before the refused one, and the time to wait, in seconds.
    private func tries(_ secrets: WrongSecrets, from address: CallerAddress, _ prefix: String) -> (count: Int, seconds: Int) {
        var count = 0
        while true {
            if case .tooMany(let seconds) = secrets.verdict(on: "\(prefix)\(count)", isRight: false, from: address) {
                return (count, seconds)
            }
            count += 1
        }
    }

    @Test("an address has a hundred tries at once and then one each second; others are not affected")
    func pace() {
        let clock = Clock()
        let secrets = WrongSecrets { clock.now }
        let first = tries(secrets, from: .v4(1), "a")
        #expect(first.count == WrongSecrets.burst && first.seconds == 1)
        clock.advance(by: .seconds(3))
        #expect(tries(secrets, from: .v4(1), "b").count == 3)
        #expect(secrets.verdict(on: "x", isRight: false, from: .v4(2)) == .wrong)
        clock.advance(by: .seconds(WrongSecrets.burst * WrongSecrets.secondsPerAttempt))
        #expect(tries(secrets, from: .v4(1), "c").count == WrongSecrets.burst)
    }

    @Test("beyond the limit a right secret gets the same refusal, but one shown before is still accepted")
    func hidden() {
        let clock = Clock()
        let secrets = WrongSecrets { clock.now }
        #expect(secrets.verdict(on: "known", isRight: true, from: .v4(1)) == .right)
        _ = tries(secrets, from: .v4(1), "a")
        #expect(secrets.verdict(on: "guessed", isRight: true, from: .v4(1)) == .tooMany(seconds: 1))
        #expect(secrets.verdict(on: "known", isRight: true, from: .v4(1)) == .right)
        #expect(secrets.verdict(on: "guessed", isRight: true, from: .v4(2)) == .right)
        clock.advance(by: .seconds(1))
        #expect(secrets.verdict(on: "guessed", isRight: true, from: .v4(1)) == .right)
    }

    @Test("a repeated secret is not counted as a new attempt, and a caller without an address is not limited")
    func repeated() {
        let clock = Clock()
        let secrets = WrongSecrets { clock.now }
        for _ in 0..<WrongSecrets.burst * 2 { #expect(secrets.verdict(on: "ended", isRight: false, from: .loopback) == .wrong) }
        #expect(tries(secrets, from: .loopback, "a").count == WrongSecrets.burst - 1)
        for number in 0..<WrongSecrets.burst * 2 { #expect(secrets.verdict(on: "\(number)", isRight: false, from: nil) == .wrong) }
    }

    @Test("memory is limited for any number of addresses")
    func memory() {
        let clock = Clock()
        let secrets = WrongSecrets { clock.now }
        for number in 0..<UInt32(WrongSecrets.remembered * 2) { _ = secrets.verdict(on: "x", isRight: false, from: .v4(number)) }
        #expect(secrets.count <= WrongSecrets.remembered)
        clock.advance(by: .seconds(2))
        #expect(secrets.verdict(on: "x", isRight: false, from: .v4(.max)) == .wrong)
    }
}
