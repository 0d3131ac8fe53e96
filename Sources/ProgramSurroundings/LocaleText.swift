import CTerminal
package import FoundationEssentials
import Glibc
package import JourneySharing

/// The user's locale: character encoding, language, region and units of measurement.
package struct LocaleText: Sendable {
    private let environment: [String: String]

    init(environment: [String: String]) { self.environment = environment }

    /// Whether the terminal uses UTF-8. The C library reads this from LC_ALL, LC_CTYPE and LANG. A UTF-8 locale in these variables is
    /// enough, even if the system does not have this locale. The screen uses the same check.
    package var isUTF8: Bool { Self.isProcessUTF8 }

    private static let isProcessUTF8 = cterminal_set_locale(false)

    /// The language of messages (`de`, lower case) and the region (`AT`, upper case); each is nil if the locale does not contain it.
    package var language: (code: String?, region: String?) {
        let parts = locale("LC_MESSAGES").prefix { $0 != "." && $0 != "@" }.split(separator: "_")
        let code = parts.first.map { $0.lowercased() }.flatMap { ["c", "posix"].contains($0) ? nil : $0 }
        return (code, parts.count > 1 ? String(parts[1].prefix(2)).uppercased() : nil)
    }

    package var measurementSystem: MeasurementSystem { MeasurementSystem(posixLocale: locale("LC_MEASUREMENT")) }

    /// Returns the locale of a category, from the first of these variables that is not empty: LC_ALL, the category's own
    /// variable, LANG.
    private func locale(_ category: String) -> String {
        ["LC_ALL", category, "LANG"].compactMap { environment[$0] }.first { !$0.isEmpty } ?? ""
    }
}

/// The local time zone, which `TZ` or `/etc/localtime` sets. The C library reads it, because FoundationEssentials alone has
/// only GMT.
package enum LocalZone {
    /// Returns the number of seconds by which local time is ahead of GMT at `date`.
    @Sendable package static func secondsFromGMT(_ date: Date) -> Int {
        guard abs(date.timeIntervalSince1970) < 1e11 else { return 0 }
        var moment = time_t(date.timeIntervalSince1970)
        var local = tm()
        guard localtime_r(&moment, &local) != nil else { return 0 }
        return local.tm_gmtoff
    }

    /// Returns the name of the time zone at `date`, such as `CET`; empty if it has no name.
    package static func name(_ date: Date) -> String {
        guard abs(date.timeIntervalSince1970) < 1e11 else { return "" }
        var moment = time_t(date.timeIntervalSince1970)
        var local = tm()
        guard localtime_r(&moment, &local) != nil, let name = local.tm_zone else { return "" }
        return String(cString: name)
    }
}
