import DequeModule
import FleetEngine
import FoundationEssentials
import HeapModule

/// A model as its service's round sees it.
@MainActor
protocol PolledModel: AnyObject {
    /// Between an answer and the next poll, seconds.
    var pollIntervalSeconds: Double { get }
    /// Whether an answer came before.
    var wasAnswered: Bool { get }
    /// The wait is over.
    func wake(_ step: PollRound.Ticket)
    /// There is a new connection.
    func connected()
    /// Asks once and tells.
    /// - Returns: seconds from the request to its answer; nil where none came, or nobody wants it any more.
    func poll(_ step: PollRound.Ticket) async -> Double?
}

/// What the models of one service have in common: one clock that wakes them, the places for polls under way, and news of connections. So a
/// model that waits is a row in a list, and no task.
@MainActor
final class PollRound {
    /// A wait or a request of a model.
    typealias Ticket = Int

    private struct Alarm: Comparable {
        let deadline: Date
        let ticket: Ticket

        static func < (one: Self, other: Self) -> Bool { (one.deadline, one.ticket) < (other.deadline, other.ticket) }
    }

    private struct Request {
        let ticket: Ticket
        /// When the trip was to be asked.
        let due: Date
    }

    private let connectionsMade: @Sendable () -> AsyncStream<Void>
    private let time: any TimeSource
    /// See ``TripService/onLate``.
    var onLate: (@MainActor (_ tripCount: Int, _ interval: Double, _ seconds: Double) -> Void)?
    private var places = PollPlaces()
    private var lastTicket: Ticket = 0
    /// Those that wait for their time or for a place.
    private var waiting: [Ticket: any PolledModel] = [:]
    private var alarms = Heap<Alarm>()
    /// Requests without a place, the oldest first; also some that nobody wants any more.
    private var queue = Deque<Request>()
    private var underWay: [Ticket: Task<Void, Never>] = [:]
    /// The moment for which models are being woken, which a busy program comes to late.
    private var waking: Date?
    /// Sleeps until the next alarm.
    private var sleeper: (deadline: Date, task: Task<Void, Never>)?
    private var active: [ObjectIdentifier: any PolledModel] = [:]
    /// Hears of new connections while a model is active.
    private var connections: Task<Void, Never>?

    /// - Parameter connectionsMade: yields an element for each usable connection from now on.
    init(time: any TimeSource, connectionsMade: @escaping @Sendable () -> AsyncStream<Void>) {
        self.connectionsMade = connectionsMade
        self.time = time
    }

    // MARK: Who takes part

    func enter(_ model: any PolledModel) {
        active[ObjectIdentifier(model)] = model
        places.pollsPerSecond += 1 / model.pollIntervalSeconds
        guard connections == nil else { return }
        let news = connectionsMade()
        connections = Task { for await _ in news { for model in Array(self.active.values) { model.connected() } } }
    }

    func leave(_ model: any PolledModel) {
        guard active.removeValue(forKey: ObjectIdentifier(model)) != nil else { return }
        places.pollsPerSecond -= 1 / model.pollIntervalSeconds
        guard active.isEmpty else { return }
        connections?.cancel()
        connections = nil
    }

    /// Takes in that a model asks at another interval.
    func intervalChanged(of model: any PolledModel, from old: Double) {
        guard active[ObjectIdentifier(model)] != nil else { return }
        places.pollsPerSecond += 1 / model.pollIntervalSeconds - 1 / old
    }

    // MARK: Waiting

    /// Wakes a model at a moment.
    func wake(_ model: any PolledModel, at deadline: Date) -> Ticket {
        let ticket = ticket(for: model)
        alarms.insert(Alarm(deadline: deadline, ticket: ticket))
        setSleeper()
        return ticket
    }

    /// Ends a wait or a request.
    func cancel(_ ticket: Ticket) {
        underWay[ticket]?.cancel()
        guard waiting.removeValue(forKey: ticket) != nil else { return }
        if alarms.count > 2 * waiting.count + 64 { alarms = Heap(alarms.unordered.filter { waiting[$0.ticket] != nil }) }
        setSleeper()
    }

    private func ticket(for model: any PolledModel) -> Ticket {
        lastTicket += 1
        waiting[lastTicket] = model
        return lastTicket
    }

    private func setSleeper() {
        while let first = alarms.min, waiting[first.ticket] == nil { alarms.removeMin() }
        guard alarms.min?.deadline != sleeper?.deadline else { return }
        sleeper?.task.cancel()
        sleeper = alarms.min.map { alarm in (alarm.deadline, Task { await self.sleep(until: alarm.deadline) }) }
    }

    /// A clock that plays a recording may return early: then something is to be asked early.
    private func sleep(until deadline: Date) async {
        try? await time.sleep(until: deadline)
        guard !Task.isCancelled else { return }
        let now = max(deadline, time.now())
        var due: [(model: any PolledModel, alarm: Alarm)] = []
        while let alarm = alarms.min, alarm.deadline <= now {
            alarms.removeMin()
            if let model = waiting.removeValue(forKey: alarm.ticket) { due.append((model, alarm)) }
        }
        sleeper = nil
        setSleeper()
        for (model, alarm) in due {
            waking = alarm.deadline
            model.wake(alarm.ticket)
        }
        waking = nil
    }

    // MARK: Asking

    /// Lets a model ask, at once or when it is its turn.
    func ask(_ model: any PolledModel) -> Ticket {
        let request = Request(ticket: ticket(for: model), due: waking ?? time.now())
        if queue.isEmpty, places.isFree { begin(request) } else { queue.append(request) }
        return request.ticket
    }

    private func begin(_ request: Request) {
        guard let model = waiting.removeValue(forKey: request.ticket) else { return }
        places.enter()
        underWay[request.ticket] = Task {
            let isFirst = !model.wasAnswered
            let seconds = await model.poll(request.ticket)
            underWay[request.ticket] = nil
            places.leave(after: seconds)
            if seconds != nil, !isFirst { note(request, of: model) }
            while places.isFree, let next = queue.popFirst() { begin(next) }
        }
    }

    private func note(_ request: Request, of model: any PolledModel) {
        let (now, interval) = (time.now(), model.pollIntervalSeconds)
        let late = now.timeIntervalSince(request.due)
        guard active.count > TripService.manyTrips, places.isMissed(interval, by: late, at: now) else { return }
        onLate?(active.count, interval, late + interval)
    }
}
