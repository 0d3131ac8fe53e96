package import FoundationEssentials
import Glibc
package import JourneySharing

/// The locale's settings for text and measures.
package struct LocaleText: Sendable {
    private let environment: [String: String]

    init(environment: [String: String]) { self.environment = environment }

    /// Whether the terminal takes UTF-8, by LC_ALL, LC_CTYPE and LANG as the C library reads them.
    package var isUTF8: Bool { Self.isProcessUTF8 }

    private static let isProcessUTF8: Bool = {
        setlocale(LC_CTYPE, "")
        guard let codeset = nl_langinfo(Int32(CODESET)) else { return false }
        return String(cString: codeset).uppercased() == "UTF-8"
    }()

    /// The language of messages (`de`, lower case) and the region (`AT`, upper case); nil for a part that the locale lacks.
    package var language: (code: String?, region: String?) {
        let parts = locale("LC_MESSAGES").prefix { $0 != "." && $0 != "@" }.split(separator: "_")
        let code = parts.first.map { $0.lowercased() }.flatMap { ["c", "posix"].contains($0) ? nil : $0 }
        return (code, parts.count > 1 ? String(parts[1].prefix(2)).uppercased() : nil)
    }

    package var measurementSystem: MeasurementSystem { MeasurementSystem(posixLocale: locale("LC_MEASUREMENT")) }

    /// The locale of a category in POSIX order: LC_ALL, the category's own variable, then LANG. Empty variables do not count.
    private func locale(_ category: String) -> String {
        ["LC_ALL", category, "LANG"].compactMap { environment[$0] }.first { !$0.isEmpty } ?? ""
    }
}

/// The time zone of `TZ` and `/etc/localtime`, from the C library, because FoundationEssentials alone knows only GMT.
package enum LocalZone {
    /// Seconds ahead of GMT at `date`.
    @Sendable package static func secondsFromGMT(_ date: Date) -> Int {
        guard abs(date.timeIntervalSince1970) < 1e11 else { return 0 }
        var moment = time_t(date.timeIntervalSince1970)
        var local = tm()
        guard localtime_r(&moment, &local) != nil else { return 0 }
        return local.tm_gmtoff
    }

    /// The name of the zone at `date`, such as `CET`; empty without a name.
    package static func name(_ date: Date) -> String {
        guard abs(date.timeIntervalSince1970) < 1e11 else { return "" }
        var moment = time_t(date.timeIntervalSince1970)
        var local = tm()
        guard localtime_r(&moment, &local) != nil, let name = local.tm_zone else { return "" }
        return String(cString: name)
    }
}
