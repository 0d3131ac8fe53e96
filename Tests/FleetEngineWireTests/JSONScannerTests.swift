import Testing

@testable import FleetEngineWire

@Suite("Scanning JSON")
struct JSONScannerTests {
    private enum Failure: JSONScannerFailure, Equatable {
        case truncated(line: Int)
        case notJSON(line: Int)
        case tooDeep(line: Int)
    }

    private func members(_ text: String) throws(Failure) -> [String] {
        let bytes = Array(text.utf8)
        var json = JSONScanner<Failure>(bytes, maximumDepth: 3)
        var members: [String] = []
        if try json.enter("{", "}") {
            repeat {
                let key = try json.key()
                let place = try json.value()
                members.append("\(key)=\(String(decoding: bytes[place], as: UTF8.self))")
            } while try json.continues(until: "}")
        }
        return members
    }

    @Test("members are found whatever they contain")
    func found() throws {
        #expect(try members("{}").isEmpty)
        #expect(try members("\u{FEFF} { \n}").isEmpty)
        #expect(
            try members("{\"a\" : [1, {\"b\":\"]}\"}],\n\"c\":\"\\\"}\" , \"d\":-1.5e3}")
                == ["a=[1, {\"b\":\"]}\"}]", "c=\"\\\"}\"", "d=-1.5e3"])
    }

    @Test("values are counted, but not what is in a string")
    func values() throws {
        func count(_ text: String) throws -> Int {
            var json = JSONScanner<Failure>(Array(text.utf8), maximumDepth: 3)
            var more = try json.enter("[", "]")
            while more {
                _ = try json.value()
                more = try json.continues(until: "]")
            }
            return json.valueCount
        }
        let counts = try ["[1]", "[1,2,3]", #"[{"a":1,"b":[1,2]},"[,{"]"#].map(count)
        #expect(counts == [1, 3, 6])
    }

    @Test("an error states its line")
    func refused() {
        let cases: [(String, Failure)] = [
            ("", .truncated(line: 1)), ("\n{\n\n", .truncated(line: 2)), ("{\"a\":1,\n\"b\":[\n", .truncated(line: 2)),
            ("[]", .notJSON(line: 1)), ("{\n,}", .notJSON(line: 2)), ("{\"a\":[}]}", .notJSON(line: 1)), ("{\"a\" 1}", .notJSON(line: 1)),
            ("{\"a\":\n[[[[1]]]]}", .tooDeep(line: 2)), ("{\"a\":\"\\", .truncated(line: 1)), ("{\"a\":\"\n\"}", .notJSON(line: 1)),
        ]
        for (text, expected) in cases {
            #expect(throws: expected, "\(text)") { try members(text) }
        }
    }
}
