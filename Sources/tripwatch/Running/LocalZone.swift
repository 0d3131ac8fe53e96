import FoundationEssentials
import Glibc

/// The zone of `TZ` and `/etc/localtime`, from the C library: FoundationEssentials alone knows only GMT.
enum LocalZone {
    /// Seconds ahead of GMT at `date`.
    @Sendable static func secondsFromGMT(_ date: Date) -> Int {
        guard abs(date.timeIntervalSince1970) < 1e11 else { return 0 }
        var moment = time_t(date.timeIntervalSince1970)
        var local = tm()
        guard localtime_r(&moment, &local) != nil else { return 0 }
        return local.tm_gmtoff
    }
}
