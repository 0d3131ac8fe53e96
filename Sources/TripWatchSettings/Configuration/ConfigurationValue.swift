import FleetEngine
import FoundationEssentials
import JourneySharing
import TOMLText
import TerminalCanvas

/// The allowed values of a key, and the parser that reads them.
struct ConfigurationValue<Value: Sendable>: Sendable {
    /// The form of the value on a command line or in an environment variable.
    let form: ConfigurationForm
    /// The allowed values in words, for messages. The text follows the word "use".
    let allowed: String
    /// Allowed words; empty if the allowed values are not a list of words.
    var words: [String] = []
    /// Parses a value; nil if it is not allowed.
    let read: @Sendable (TOMLDocument.Value, ConfigurationPlaces) -> Value?
}

/// The form of a value on a command line or in an environment variable. It determines how the value is converted into a TOML value.
enum ConfigurationForm: Hashable, Sendable {
    case text
    /// A file's path, or one of the key's words.
    case path
    case flag
    case number
    /// One text, or several separated by commas; `[]` for none.
    case list

    /// Converts the user's input into a TOML value, without checking it.
    func value(typed: String) -> TOMLDocument.Value {
        switch self {
        case .text, .path: break
        case .flag:
            if let flag = ["true": true, "1": true, "false": false, "0": false][typed] { return .boolean(flag) }
        case .number:
            if let number = Double(typed) { return Int(exactly: number).map { .integer($0) } ?? .double(number) }
        case .list:
            if typed == "[]" { return .array([]) }
            let parts = typed.split(separator: ",", omittingEmptySubsequences: false).map { String($0.trimmingPrefix(" ")) }
            if parts.count > 1 { return .array(parts.map { .string($0) }) }
        }
        return .string(typed)
    }
}

extension ConfigurationValue {
    /// Creates the parser for a value that is written as a string.
    private static func text(
        _ allowed: String, form: ConfigurationForm = .text, words: [String] = [],
        _ read: @escaping @Sendable (String, ConfigurationPlaces) -> Value?
    ) -> ConfigurationValue {
        ConfigurationValue(form: form, allowed: allowed, words: words) { value, places in
            if case .string(let text) = value { read(text, places) } else { nil }
        }
    }
}

extension ConfigurationValue where Value: RawRepresentable<String> & CaseIterable {
    /// A value that is one of an enumeration's words. Words that are numbers may be written without quotation marks.
    static var choice: ConfigurationValue {
        let words = Value.allCases.map(\.rawValue)
        let allowed = words.dropLast().joined(separator: ", ") + " or " + (words.last ?? "")
        return ConfigurationValue(form: .text, allowed: allowed, words: words) { value, _ in
            switch value {
            case .string(let word): Value(rawValue: word)
            case .integer(let number): Value(rawValue: "\(number)")
            default: nil
            }
        }
    }
}

extension ConfigurationValue<Bool> {
    static let flag = ConfigurationValue(form: .flag, allowed: "true or false") { value, _ in
        if case .boolean(let flag) = value { flag } else { nil }
    }
}

extension ConfigurationValue<Double> {
    static let seconds = number(
        "a number of seconds from 1 to 3600", Configuration.pollIntervals)

    static let radius = number("a number of metres from 1 to 10000", 1...10_000)

    private static func number(_ allowed: String, _ range: ClosedRange<Double>) -> ConfigurationValue {
        ConfigurationValue(form: .number, allowed: allowed) { value, _ in
            let number: Double
            switch value {
            case .integer(let whole): number = Double(whole)
            case .double(let double): number = double
            default: return nil
            }
            return range.contains(number) ? number : nil
        }
    }
}

extension ConfigurationValue<Int> {
    static let rides = ConfigurationValue(form: .number, allowed: "a whole number from 0 to 1000") { value, _ in
        if case .integer(let number) = value, Configuration.keptRides.contains(number) { number } else { nil }
    }

    static let megabytes = ConfigurationValue(form: .number, allowed: "a whole number of megabytes from 1 to 1048576") { value, _ in
        if case .integer(let number) = value, Configuration.cacheMegabytes.contains(number) { number } else { nil }
    }

    static let port = ConfigurationValue(form: .number, allowed: "a whole number from 0 to 65535") { value, _ in
        if case .integer(let number) = value, Configuration.sharePorts.contains(number) { number } else { nil }
    }
}

extension ConfigurationValue<[String]> {
    static let languages = ConfigurationValue(form: .list, allowed: "a code such as \"de\" or \"zh-Hant\", or a list of them") { value, _ in
        let items: [TOMLDocument.Value] = if case .array(let items) = value { items } else { [value] }
        let codes = items.compactMap { item in
            if case .string(let code) = item, Configuration.isLanguage(code) { code } else { nil }
        }
        return codes.count == items.count ? codes : nil
    }
}

extension Configuration {
    /// Returns whether a text has the form of a language code: 2 to 12 letters and hyphens, as in the BCP 47 codes that
    /// maps use for names.
    package static func isLanguage(_ code: String) -> Bool {
        (2...12).contains(code.utf8.count) && code.unicodeScalars.allSatisfy { $0.isASCII && ($0.properties.isAlphabetic || $0 == "-") }
    }
}

extension ConfigurationValue<Configuration.Here> {
    static let here = text(Configuration.Here.forms) { text, _ in Configuration.Here(text) }
}

extension ConfigurationValue<Configuration.BaseMap> {
    static let baseMap = text(
        "\"none\", \"town\", \"osm\", an http or https address, or the path of a file (~/ is your home)", form: .path,
        words: ["none", "town", "demo", "osm"]
    ) { text, places in
        switch text {
        case "none": return Configuration.BaseMap.none
        // `demo` is the former name of the town.
        case "town", "demo": return .town
        case "osm": return .osm
        default:
            guard case .address = Configuration.BaseMap(place: text) else { return places.path(text).map { .file($0) } }
            return WebAddress(text).map { _ in .address(text) }
        }
    }
}

extension ConfigurationValue<String> {
    static let path = text("the path of a file (~/ is your home)", form: .path) { text, places in places.path(text) }

    static let database = text(":memory: or the path of a file (~/ is your home)", form: .path, words: [":memory:"]) { text, places in
        text == ":memory:" ? text : places.path(text)
    }

    static let serverAddress = text("a server as HOST:PORT, such as \"127.0.0.1:50051\"") { text, _ in
        WebAddress.Authority(text) != nil ? text : nil
    }

    static let listenAddress = text("an IP address of this machine, or localhost") { text, _ in
        let isAddress = (2...45).contains(text.utf8.count) && text.utf8.allSatisfy { "0123456789abcdefABCDEF.:[]".utf8.contains($0) }
        return isAddress || text == "localhost" ? text : nil
    }

    static let webAddress = text("an http or https address without a user name, a password or a query") { text, _ in
        guard let address = WebAddress(text), !address.rest.contains(where: { $0 == "?" || $0 == "#" }) else { return nil }
        return text.utf8.allSatisfy { $0 < 0x7f && !"{}".utf8.contains($0) } ? text : nil
    }

    static let tokenAddress = text(
        "an https address (or http on this machine) such as \"https://rides.example/{tripID}\", without a password"
    ) { text, _ in
        let plain = ["{tripID}", "{trackingID}", "{vehicleID}"].reduce(text) { $0.replacing($1, with: "id") }
        guard let address = WebAddress(text), WebAddress(plain)?.authority == address.authority,
            !plain.contains(where: { $0 == "{" || $0 == "}" })
        else { return nil }
        return address.isSecure || LoopbackHost.contains(address.authority.host) ? text : nil
    }

    static let command = text("a command line") { text, _ in
        let isLine = text.utf8.count <= 8_192 && !text.unicodeScalars.contains { $0.isControl && $0 != "\n" && $0 != "\t" }
        return isLine && text.contains { !$0.isWhitespace } ? text : nil
    }

    static let providerID = text("an id of 1 to 64 characters without any of / : ? , #") { text, _ in
        (try? ResourceID.check(text, kind: "provider id")).map { text }
    }

    static let themeName = text("the name of a theme: letters, digits, \"-\" and \"_\"", words: ThemeCatalog.embeddedNames) { text, _ in
        ThemeCatalog.isName(text) ? text : nil
    }

    static let profileName = text("the name of a profile") { text, _ in text }
}
