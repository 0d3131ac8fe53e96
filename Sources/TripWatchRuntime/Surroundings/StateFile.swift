package import FleetEngine
package import FoundationEssentials
import Glibc
import JourneySharing
package import ProgramSurroundings
package import TripWatchWords

/// Small texts kept between runs, in `$XDG_STATE_HOME/tripwatch` (`~/.local/state/tripwatch`), which only their owner reads.
///
/// Failures are no errors here: a text that cannot be read is unknown, one that cannot be written is forgotten. The trips that are known are nobody
/// else's to write anew: a damaged list of them is set aside, and that is said.
package struct StateFile: Sendable {
    /// So long one program waits for another that writes, seconds.
    private static let patienceSeconds = 2.0

    private let folder: String
    private let tell: @Sendable (String) -> Void
    private var progressPath: String { folder + "/progress.json" }
    private var tripsPath: String { folder + "/trips.json" }

    /// Nil without a home directory.
    /// - Parameter tell: told what was found damaged, in a sentence.
    init?(environment: [String: String], tell: @escaping @Sendable (String) -> Void) {
        guard let folder = Self.folder(environment: environment) else { return nil }
        (self.folder, self.tell) = (folder, tell)
    }

    /// The same for somebody else who is told too.
    func telling(_ other: @escaping @Sendable (String) -> Void) -> StateFile {
        StateFile(folder: folder) { [tell] text in
            tell(text)
            other(text)
        }
    }

    private init(folder: String, tell: @escaping @Sendable (String) -> Void) { (self.folder, self.tell) = (folder, tell) }

    /// Where the program keeps what is not configuration; nil where there is no home.
    static func folder(environment: [String: String]) -> String? {
        if let base = environment["XDG_STATE_HOME"], base.hasPrefix("/") { return base + "/tripwatch" }
        if let home = environment["HOME"], home.hasPrefix("/") { return home + "/.local/state/tripwatch" }
        return nil
    }

    /// How far each trip was when `status` looked at it.
    var progress: ProgressBook { read(progressPath, maximumBytes: ProgressBook.maximumBytes).map(ProgressBook.init) ?? ProgressBook() }

    /// The trips that were booked or followed here.
    /// - Parameter isLookOnly: leaves a damaged file where it is, and says nothing of it.
    package func trips(now: Date, isLookOnly: Bool = false) -> KnownTrips {
        var trips = knownTrips
        if !trips.isWhole, !isLookOnly { locked { _ = tripsToChange(now: now) } }
        trips.forget(before: now)
        return trips
    }

    private var knownTrips: KnownTrips {
        if let data = read(tripsPath, maximumBytes: KnownTrips.maximumBytes) { return KnownTrips(data) }
        // What is there and cannot be read is nothing to write over.
        return access(tripsPath, F_OK) == 0 ? KnownTrips(Data()) : KnownTrips()
    }

    /// What is known, while no other program writes: of a damaged file what can be read of it, and the file itself under another name.
    private func tripsToChange(now: Date) -> KnownTrips {
        var trips = knownTrips
        if !trips.isWhole, let aside = setAside(tripsPath) {
            let count = trips.trips.count
            let rest =
                count == 0 ? "no trip in it could be read" : "\(count) of its trips could be read, and stay\(count == 1 ? "s" : "") known"
            tell("\(printable(tripsPath)) is damaged, and is now \(printable(aside)): \(rest).")
            if count > 0 { write(trips.data, to: tripsPath) }
        }
        trips.forget(before: now)
        return trips
    }

    /// Gives a file a name that no other has.
    /// - Returns: the name; nil where it stays what it was.
    private func setAside(_ path: String) -> String? {
        for number in 1..<100 {
            let aside = number == 1 ? path + ".damaged" : "\(path).damaged-\(number)"
            // Nothing is written over that somebody has set aside before.
            if access(aside, F_OK) != 0 { return rename(path, aside) == 0 ? aside : nil }
        }
        return nil
    }

    /// Notes how far a trip is.
    func note(_ mark: Progress.Mark?, for trip: TripName, now: Date) {
        locked {
            let before = progress
            var book = before
            book.note(mark, for: trip, now: now)
            // A bar that asks every few seconds is to wait for no disk; what is lost with the power is a percentage.
            if book != before { write(book.data, to: progressPath, isSynchronized: false) }
        }
    }

    /// Notes trips that were booked, or are followed.
    package func note(_ noted: [KnownTrip], now: Date) {
        locked {
            var trips = tripsToChange(now: now)
            trips.note(noted, now: now)
            write(trips.data, to: tripsPath)
        }
    }

    /// Notes how a trip stands that is known already; of others nothing is kept, and no news is not written.
    package func update(_ name: TripName, now: Date, _ change: (inout KnownTrip) -> Void) {
        locked {
            var trips = tripsToChange(now: now)
            guard let before = trips[name] else { return }
            var trip = before
            change(&trip)
            guard !trip.isAsJustSeen(before) else { return }
            trips.note([trip], now: now)
            write(trips.data, to: tripsPath)
        }
    }

    /// Leaves a trip out of those that are known.
    package func forget(_ name: TripName, now: Date) {
        locked {
            var trips = tripsToChange(now: now)
            trips.forget(name)
            write(trips.data, to: tripsPath)
        }
    }

    private func read(_ path: String, maximumBytes: Int) -> Data? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size <= maximumBytes else { return nil }
        var text = Data(count: Int(status.st_size))
        var length = 0
        while length < text.count {
            let count = text.withUnsafeMutableBytes { Glibc.read(descriptor, $0.baseAddress?.advanced(by: length), $0.count - length) }
            // One that has become shorter meanwhile is not what it was said to be.
            guard count > 0 || count < 0 && errno == EINTR else { return nil }
            length += max(0, count)
        }
        return text
    }

    /// Reads and writes while no other program does, so that nobody's notes are lost.
    private func locked(_ body: () -> Void) {
        try? FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        let lock = open(folder + "/lock", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard lock >= 0 else { return }
        // Closing it unlocks.
        defer { close(lock) }
        let end = ContinuousClock.now + .seconds(Self.patienceSeconds)
        while flock(lock, LOCK_EX | LOCK_NB) != 0 {
            guard errno == EWOULDBLOCK || errno == EINTR, .now < end else { return }
            usleep(5_000)
        }
        body()
    }

    /// Puts a text in a file's place, as a whole: other programs read either the old one or the new one.
    private func write(_ data: Data, to path: String, isSynchronized: Bool = true) {
        let draft = path + ".draft"
        // One that a program has left behind, which ended while it wrote.
        unlink(draft)
        guard SecretFile.write(Array(data), toNew: draft, isSynchronized: isSynchronized), rename(draft, path) == 0 else {
            unlink(draft)
            return
        }
    }
}

extension Surroundings {
    /// Nil without a home directory.
    package var stateFile: StateFile? { StateFile(environment: environment) { [streams] in streams.say("tripwatch: \($0)") } }
}
