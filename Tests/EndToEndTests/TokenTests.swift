import FleetEngine
import Foundation
import Testing

@testable import ProgramHarness

/// Returns a token for a trip, with a made-up signature.
/// - Parameter seconds: the lifetime of the token; nil for a token without `exp`.
func madeUpToken(trip: String, algorithm: String, seconds: Int? = 3_600) -> String {
    let now = Int(Date().timeIntervalSince1970)
    let header = #"{"alg":"\#(algorithm)"}"#
    let expiry = seconds.map { #""exp":\#(now + $0),"# } ?? ""
    let claims =
        #"{"aud":"https://fleetengine.googleapis.com/","iat":\#(now),\#(expiry)"authorization":{"tripid":"\#(trip)"}}"#
    let parts = [header, claims, "made up"].map { part in
        Data(part.utf8).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }
    return parts.joined(separator: ".")
}

private func tripwatch(_ arguments: String..., setting: [String: String] = [:]) throws -> Program.Outcome {
    try Program().run(arguments, setting: setting)
}

@Suite("Accounts and tokens on the command line", .timeLimit(.minutes(2)))
struct TokenTests {
    @Test("an account is created once, readable only by its owner, and listed; a second one of the same name changes nothing")
    func keys() throws {
        let folder = try Folder()
        let made = try tripwatch("token", "keys", "new", "driver", "--name", "anna", "--keys", folder.keys)
        #expect(made.status == 0 && made.lines.count == 1, "\(made.errors)")
        let words = try #require(made.lines.first).split(separator: " ").map(String.init)
        #expect(words.count == 5 && words[0] == "driver" && words[1] == "driver-anna" && words[2].count == 43)
        #expect(Array(words[3...]) == ["driver-anna@tripwatch.local", "private"])
        #expect(folder.mode(folder.keys) == 0o700 && folder.mode(folder.keys + "/driver-anna.pem") == 0o600)
        let before = try Data(contentsOf: URL(filePath: folder.keys + "/driver-anna.pem"))
        for form in [[], ["--google"]] {
            let again = try Program().run(["token", "keys", "new", "driver", "--name", "anna", "--keys", folder.keys] + form)
            #expect(again.status == 1 && again.lines.isEmpty && again.errors.contains("driver-anna"), "\(again.errors)")
        }
        #expect(try Data(contentsOf: URL(filePath: folder.keys + "/driver-anna.pem")) == before)
        let google = try tripwatch("token", "keys", "new", "server", "--name", "back", "--google", "--keys", folder.keys)
        #expect(google.status == 0 && folder.mode(folder.keys + "/server-back.json") == 0o600)
        _ = try folder.write("state/keys/consumer.pem", "no key")
        let list = try tripwatch("token", "keys", "--keys", folder.keys)
        #expect(list.status == 0 && list.lines.count == 2 && list.errors.contains("consumer.pem must contain an RSA key"), "\(list.errors)")
        #expect(list.lines[0].split(separator: " ").map(String.init) == words && list.lines[1].hasPrefix("server"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.keys).count == 3)
    }

    @Test("keys that every user of the machine can read are used, with one warning; access for a group is no fault")
    func exposed() throws {
        let folder = try Folder()
        func mint(_ mode: Int, _ files: String...) throws -> String {
            for file in files {
                try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: folder.keys + "/" + file)
            }
            let minted = try tripwatch("token", "mint", "--role", "admin", "--keys", folder.keys)
            #expect(minted.status == 0 && minted.lines.count == 1, "\(minted.errors)")
            return minted.errors
        }
        for role in ["admin", "driver"] {
            #expect(try tripwatch("token", "keys", "new", role, "--name", "a", "--keys", folder.keys).status == 0)
        }
        #expect(try mint(0o640, "admin-a.pem").isEmpty)
        let path = folder.keys + "/admin-a.pem"
        let fault = "the mode of the key file \(path) lets every user of this machine read it"
        let words = "tripwatch: warning: \(fault): run 'chmod o-r' on the file.\n"
        #expect(try mint(0o644, "admin-a.pem") == words)
        #expect(try tripwatch("token", "keys", "--keys", folder.keys).errors == words)
        let several = "tripwatch: warning: the modes of 2 key files, such as \(path), let every user of this machine read them: "
        #expect(try mint(0o604, "driver-a.pem").hasPrefix(several))
    }

    @Test("the standard folder is below XDG_STATE_HOME")
    func standardFolder() throws {
        let folder = try Folder()
        let state = ["XDG_STATE_HOME": folder.path]
        #expect(try tripwatch("token", "keys", "new", "admin", "--name", "x", setting: state).status == 0)
        #expect(FileManager.default.fileExists(atPath: folder.path + "/tripwatch/keys/admin-x.pem"))
        #expect(try tripwatch("token", "keys", setting: state).lines.count == 1)
    }

    @Test("a token has the requested claims, and inspect finds no fault in it")
    func mint() throws {
        let folder = try Folder()
        for role in ["consumer", "driver", "server", "admin"] {
            #expect(try tripwatch("token", "keys", "new", role, "--name", "a", "--keys", folder.keys).status == 0)
        }
        func claims(_ arguments: [String]) throws -> JSONWebTokenClaims {
            let minted = try Program().run(["token", "mint", "--keys", folder.keys] + arguments)
            #expect(minted.status == 0 && minted.lines.count == 1, "\(minted.errors)")
            return try #require(JSONWebTokenClaims(token: minted.lines.first ?? ""))
        }
        let rider = try claims(["--role", "consumer", "--trip", "t1"])
        #expect(rider.algorithm == "RS256" && rider.tripID == "t1" && rider.vehicleID == nil && rider.issuer == rider.subject)
        #expect(rider.issuer == "consumer-a@tripwatch.local" && rider.audience == ["https://fleetengine.googleapis.com/"])
        let life = try #require(rider.expiresAt).timeIntervalSince(try #require(rider.issuedAt))
        #expect(life == 3_600)
        let server = try claims(["--role", "server", "--ttl", "10min"])
        #expect(server.tripID == "*" && server.vehicleID == "*")
        #expect(try #require(server.expiresAt).timeIntervalSince(try #require(server.issuedAt)) == 600)
        let narrow = try claims(["--role", "server", "--trip", "providers/p/trips/t7"])
        #expect(narrow.tripID == "t7" && narrow.vehicleID == nil)
        let driver = try claims(["--role", "driver", "--vehicle", "*", "--account", "a"])
        #expect(driver.vehicleID == "*" && driver.tripID == nil)
        #expect(try claims(["--role", "admin"]).tripID == nil)
        let json = try tripwatch("token", "mint", "--role", "consumer", "--trip", "t1", "--json", "--keys", folder.keys)
        let object = try #require(try JSONSerialization.jsonObject(with: Data((json.lines.first ?? "").utf8)) as? [String: Any])
        let token = try #require(object["jwt"] as? String)
        let expiry = try #require(JSONWebTokenClaims(token: token)?.expiresAt)
        #expect(object.count == 2 && object["expirationTimestamp"] as? Double == expiry.timeIntervalSince1970 * 1_000)
        #expect(try tripwatch("token", "inspect", "t1", setting: ["TRIPWATCH_TOKEN": token]).status == 0)
    }

    @Test("inspect exits with 4 for a token that Fleet Engine refuses: unsigned, with another algorithm, or valid for too long")
    func inspectRefused() throws {
        func inspect(_ algorithm: String, seconds: Int?) throws -> Program.Outcome {
            let token = madeUpToken(trip: "t1", algorithm: algorithm, seconds: seconds)
            return try tripwatch("token", "inspect", "t1", setting: ["TRIPWATCH_TOKEN": token])
        }
        #expect(try inspect("RS256", seconds: 3_600).status == 0)
        let endless = try inspect("RS256", seconds: nil)
        #expect(endless.status == 0 && endless.lines.last == "warning: its expiry time is not known", "\(endless)")
        for (algorithm, seconds, words) in [
            ("none", 3_600, "it is not signed"), ("HS256", 3_600, "it is not signed with RS256"),
            ("RS256", 7_200, "its lifetime is 2 h; Fleet Engine accepts at most 1 h"),
        ] {
            let refused = try inspect(algorithm, seconds: seconds)
            #expect(refused.status == 4 && refused.lines.last?.hasPrefix("error: \(words)") == true, "\(refused)")
        }
    }

    @Test("inspect takes the ending of a known trip's name, as status does")
    func inspectEnding() throws {
        let folder = try Folder()
        #expect(try tripwatch("token", "keys", "new", "consumer", "--name", "a", "--keys", folder.keys).status == 0)
        let trip = "providers/demo/trips/made-up-3f42e"
        let seen = Date().timeIntervalSince1970
        try FileManager.default.createDirectory(atPath: folder.path + "/tripwatch", withIntermediateDirectories: true)
        let known = #"[{"name":"\#(trip)","status":"NEW","opened":\#(seen),"seen":\#(seen),"endpoint":"127.0.0.1:1","plaintext":true}]"#
        _ = try folder.write("tripwatch/trips.json", known)
        let minted = try tripwatch("token", "mint", "--role", "consumer", "--trip", trip, "--keys", folder.keys)
        let setting = ["XDG_STATE_HOME": folder.path, "TRIPWATCH_TOKEN": try #require(minted.lines.first)]
        let inspected = try tripwatch("token", "inspect", "3f42e", setting: setting)
        #expect(inspected.status == 0 && inspected.errors.contains("'3f42e' stands for \(trip)."), "\(inspected)")
        #expect(try tripwatch("token", "inspect", "9c11a", setting: setting).status == 4)
    }

    @Test("a token for deliveries has the requested claims")
    func mintDeliveries() throws {
        let folder = try Folder()
        for role in ["consumer", "driver", "server"] {
            #expect(try tripwatch("token", "keys", "new", role, "--name", "a", "--keys", folder.keys).status == 0)
        }
        func claims(_ arguments: String...) throws -> NSDictionary {
            let minted = try Program().run(["token", "mint", "--keys", folder.keys, "--role"] + arguments)
            #expect(minted.status == 0, "\(minted.errors)")
            var text = try #require(minted.lines.first?.split(separator: ".").dropFirst().first)
                .replacing("-", with: "+").replacing("_", with: "/")
            text += String(repeating: "=", count: (4 - text.count % 4) % 4)
            let claims = try JSONSerialization.jsonObject(with: #require(Data(base64Encoded: String(text)))) as? [String: Any]
            return try #require(claims?["authorization"] as? NSDictionary)
        }
        #expect(try claims("consumer", "--tracking", "providers/p/taskTrackingInfo/p7") == ["trackingid": "p7"])
        #expect(try claims("driver", "--delivery-vehicle", "van") == ["deliveryvehicleid": "van"])
        #expect(
            try claims("driver", "--delivery-vehicle", "van", "--task", "*", "--trusted")
                == ["deliveryvehicleid": "van", "taskid": "*", "trusted": true])
        #expect(
            try claims("server") == [
                "tripid": "*", "vehicleid": "*", "trackingid": "*", "taskid": "*", "taskids": ["*"], "deliveryvehicleid": "*",
            ])
        #expect(try claims("server", "--task", "t1") == ["taskid": "t1"])
        let minted = try tripwatch("token", "mint", "--keys", folder.keys, "--role", "driver", "--delivery-vehicle", "van", "--trusted")
        let inspected = try tripwatch("token", "inspect", setting: ["TRIPWATCH_TOKEN": try #require(minted.lines.first)])
        #expect(inspected.status == 0 && inspected.lines.contains("van        van"), "\(inspected.lines)")
        #expect(inspected.lines.contains { $0.hasPrefix("trusted ") })
    }

    @Test("a token that every server would refuse is not made: 64; without a private key: 1")
    func refusals() throws {
        let folder = try Folder()
        let usage = [
            ["--role", "consumer"], ["--role", "driver"], ["--role", "driver", "--trip", "t1"], ["--role", "rider", "--trip", "t1"],
            ["--role", "server", "--ttl", "61min"], ["--role", "server", "--ttl", "0s"], ["--role", "server", "--ttl", "soon"],
            ["--role", "consumer", "--trip", "a:b"], ["--role", "consumer", "--trip", ""], [],
            ["--role", "consumer", "--task", "t"], ["--role", "consumer", "--tracking", "a:b"], ["--role", "driver", "--task", "t"],
            ["--role", "driver", "--vehicle", "v", "--trusted"], ["--role", "server", "--delivery-vehicle", "v", "--trusted"],
        ]
        for arguments in usage {
            let outcome = try Program().run(["token", "mint", "--keys", folder.keys] + arguments)
            #expect(outcome.status == 64 && outcome.lines.isEmpty, "\(arguments): \(outcome.errors)")
        }
        #expect(try tripwatch("token", "keys", "new", "rider", "--name", "a", "--keys", folder.keys).status == 64)
        #expect(try tripwatch("token", "keys", "new", "driver", "--name", "a/b", "--keys", folder.keys).status == 64)
        #expect(try tripwatch("token", "mint", "--role", "server", "--keys", folder.keys).status == 1)
        #expect(try tripwatch("token", "keys", "new", "server", "--name", "b", "--keys", folder.keys).status == 0)
        let other = try tripwatch("token", "mint", "--role", "server", "--account", "c", "--keys", folder.keys)
        #expect(other.status == 1 && other.lines.isEmpty && other.errors.contains("there is no server account c"), "\(other.errors)")
    }
}
