import Foundation
import Geo
import TOMLText
import Testing

/// Python's own TOML parser, if the Python of this machine has one (`TRIPWATCH_PYTHON`, or `python3`).
private enum Python {
    /// A script that reads a list of texts. For each text, it prints a line with the values, or "error".
    private static let script = """
        import json, struct, sys, tomllib
        def said(value):
            if isinstance(value, bool): return "true" if value else "false"
            if isinstance(value, str): return "s" + value.encode().hex()
            if isinstance(value, int):
                if not -2**63 <= value < 2**63: raise ValueError
                return str(value)
            if isinstance(value, float): return "nan" if value != value else "f" + struct.pack(">d", value).hex()
            if isinstance(value, list): return "[" + ",".join(map(said, value)) + "]"
            if isinstance(value, dict): return "{" + ",".join(sorted(said(k) + "=" + said(v) for k, v in value.items())) + "}"
            return "time"
        for text in json.load(sys.stdin):
            try: print(said(tomllib.loads(text.removeprefix("\\ufeff"))))
            except (ValueError, RecursionError): print("error")
        """

    static let command: [String] = {
        let named = ProcessInfo.processInfo.environment["TRIPWATCH_PYTHON"] ?? ""
        return named.isEmpty ? ["/usr/bin/env", "python3"] : [named]
    }()

    static let hasTOML = (try? run(["-c", "import tomllib"], input: Data())) != nil

    static func read(_ texts: [String]) throws -> [String] {
        String(decoding: try run(["-c", script], input: JSONEncoder().encode(texts)), as: UTF8.self).split(separator: "\n").map(String.init)
    }

    private static func run(_ arguments: [String], input: Data) throws -> Data {
        let process = Process()
        let (standardInput, output) = (Pipe(), Pipe())
        process.executableURL = URL(filePath: command.first ?? "")
        process.arguments = command.dropFirst() + arguments
        (process.standardInput, process.standardOutput, process.standardError) = (standardInput, output, FileHandle.nullDevice)
        try process.run()
        try standardInput.fileHandleForWriting.write(contentsOf: input)
        try standardInput.fileHandleForWriting.close()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw CocoaError(.featureUnsupported) }
        return data
    }
}

@Suite(
    "TOML as Python reads it", .enabled(if: Python.hasTOML || ProcessInfo.processInfo.environment["CI"] != nil), .timeLimit(.minutes(3)))
struct TOMLOracleTests {
    private func said(_ value: TOMLDocument.Value) -> String {
        switch value {
        case .boolean(let flag): "\(flag)"
        case .string(let text): said(text)
        case .integer(let number): "\(number)"
        case .double(let number): number.isNaN ? "nan" : "f" + hexadecimal(withUnsafeBytes(of: number.bitPattern.bigEndian) { Array($0) })
        case .array(let items): "[" + items.map(said).joined(separator: ",") + "]"
        case .table(let table): "{" + table.map { said($0.key) + "=" + said($0.value) }.sorted().joined(separator: ",") + "}"
        case .time: "time"
        }
    }

    private func said(_ text: String) -> String { "s" + hexadecimal(Array(text.utf8)) }

    private func hexadecimal(_ bytes: [UInt8]) -> String { bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined() }

    @Test("The same texts are accepted, with the same values", arguments: 0..<4)
    func same(round: Int) throws {
        var random = SeededRandom(seed: UInt64(900 + round))
        var texts = (0..<1_500).map { _ in MadeUpTOML.document(&random) }
        texts += texts.compactMap { String(validating: MadeUpTOML.mutated($0, &random), as: UTF8.self) }
        let expected = try Python.read(texts)
        try #require(expected.count == texts.count)
        #expect(expected.count { $0 != "error" } > 800 && expected.count { $0 == "error" } > 800)
        for (text, expected) in zip(texts, expected) {
            do throws(TOMLDocument.Failure) {
                let table = try TOMLDocument(utf8: Array(text.utf8)).table
                #expect(said(.table(table)) == expected, "\(text.debugDescription)")
            } catch {
                // The code under test refuses these texts by design.
                if error.sentence.hasPrefix("dates ") || error.sentence.hasSuffix("nested too deeply") { continue }
                #expect(expected == "error", "\(text.debugDescription): \(error)")
            }
        }
    }
}
