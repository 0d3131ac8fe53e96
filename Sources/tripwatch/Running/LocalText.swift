import FoundationEssentials
import Glibc
import JourneySharing

/// What the locale says about text and measures.
enum LocalText {
    /// Whether the terminal takes UTF-8, by LC_ALL, LC_CTYPE and LANG.
    static let isUTF8: Bool = {
        setlocale(LC_CTYPE, "")
        guard let codeset = nl_langinfo(Int32(CODESET)) else { return false }
        return String(cString: codeset).uppercased() == "UTF-8"
    }()

    /// The language of messages (`de`, lower case) and the region (`AT`, upper case); nil for what the locale does not say.
    static var language: (code: String?, region: String?) {
        let parts = locale("LC_MESSAGES").prefix { $0 != "." && $0 != "@" }.split(separator: "_")
        let code = parts.first.map { $0.lowercased() }.flatMap { ["c", "posix"].contains($0) ? nil : $0 }
        return (code, parts.count > 1 ? String(parts[1].prefix(2)).uppercased() : nil)
    }

    static var measurementSystem: MeasurementSystem { MeasurementSystem(posixLocale: locale("LC_MEASUREMENT")) }

    /// The locale of a category, as POSIX has it: LC_ALL, then the category's own variable, then LANG; empty ones do not count.
    private static func locale(_ category: String) -> String {
        let environment = ProcessInfo.processInfo.environment
        return ["LC_ALL", category, "LANG"].compactMap { environment[$0] }.first { !$0.isEmpty } ?? ""
    }
}
