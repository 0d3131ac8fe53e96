import Foundation
import Testing
import TripTesting

@testable import ProgramHarness

@Suite("The environment of a hook's command", .timeLimit(.minutes(2)))
struct HookEnvironmentTests {
    private static let secrets = [
        "DATABASE_URL": "postgres://rides:s3cret@db.example/rides",
        "CACHE": "redis://:s3cret@cache.example:6379/0",
        "BROKERS": "amqp://one.example amqps://u:s3/cr?et-s3cret@two.example",
        "JDBC": "jdbc:postgresql://db.example/rides?user=u&Password=s3cret",
        "STORE": "Server=db.example;User=u;Pwd=s3cret",
        "BEARER": "s3cret", "MY_JWT": "s3cret", "REDISCLI_AUTH": "s3cret", "SENTRY_DSN": "https://s3cret@errors.example/1",
        "CHAT_WEBHOOK_URL": "https://chat.example/hooks/s3cret", "HEADER": "Bearer s3cret", "SIGNING_KEYS": "s3cret",
        "IDENTITY": "-----BEGIN PRIVATE KEY-----\ns3cret",
    ]
    private static let others = [
        "COLOUR": "blue", "PAGE": "https://rides.example:8080/trips", "MAIL": "anna@rides.example", "SSH_AUTH_SOCK": "/run/agent",
        "KEYBOARD": "de", "LIST": "git://rides.example/a.git",
    ]

    @Test("secrets, recognised by name or by form, are removed, and everything else stays")
    func secrets() async throws {
        let folder = try Folder()
        let file = folder.path + "/env"
        let outcome = try await MadeUpRide.engine([]).serve { port in
            let arguments = [
                "follow", MadeUpRide.name, "--endpoint", "127.0.0.1:\(port)", "--plaintext", "--output", "plain", "--on-event",
                "sh -c \"env >> '\(file)'\"",
            ]
            return try await Task.detached {
                try Program().run(arguments, setting: Self.secrets.merging(Self.others) { first, _ in first })
            }.value
        }
        #expect(outcome.status == 0, "\(outcome.errors)")
        let environment = try String(contentsOfFile: file, encoding: .utf8)
        #expect(!environment.contains("s3cret"), "\(environment)")
        let lines = Set(environment.split(separator: "\n").map(String.init))
        for (name, value) in Self.others { #expect(lines.contains("\(name)=\(value)"), "\(name)") }
        withExtendedLifetime(folder) {}
    }
}
