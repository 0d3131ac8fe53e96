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
}
