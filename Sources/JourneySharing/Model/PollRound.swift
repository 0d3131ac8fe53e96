import DequeModule
import FleetEngine
import FoundationEssentials
import HeapModule

/// A model whose polls are scheduled by the ``PollRound`` of its service.
@MainActor
protocol PolledModel: AnyObject {
    /// Time between an answer and the next poll, in seconds.
    var pollIntervalSeconds: Double { get }
    /// Whether the server has answered at least once.
    var wasAnswered: Bool { get }
    /// Called when the model's wait is over.
    func wake(_ step: PollRound.Ticket)
    /// Called for each new connection.
    func connected()
    /// Polls once and reports the result.
    /// - Returns: seconds from the request to its answer; nil if no answer came or the request was cancelled.
    func poll(_ step: PollRound.Ticket) async -> Double?
}

/// Scheduler that the models of one service share. It wakes the models when they are due, limits the number of polls in progress, and
/// notifies the models of new connections. A waiting model is an entry in a list and needs no task.
@MainActor
final class PollRound {
    /// Number that identifies a model's wait or request.
    typealias Ticket = Int

    private struct Alarm: Comparable {
        let deadline: Date
        let ticket: Ticket

        static func < (one: Self, other: Self) -> Bool { (one.deadline, one.ticket) < (other.deadline, other.ticket) }
    }

    private struct Request {
        let ticket: Ticket
        /// Time at which the request was due.
        let due: Date
    }

    private let connectionsMade: @Sendable () -> AsyncStream<Void>
    private let time: any TimeSource
    /// See ``TripService/onLate``.
    var onLate: (@MainActor (_ tripCount: Int, _ interval: Double, _ seconds: Double) -> Void)?
    private var places = PollPlaces()
    private var lastTicket: Ticket = 0
    /// Models that wait until their poll is due, or until the limit on polls in progress allows it.
    private var waiting: [Ticket: any PolledModel] = [:]
    private var alarms = Heap<Alarm>()
    /// Requests that wait until another poll ends, oldest first. The queue may contain cancelled requests.
    private var queue = Deque<Request>()
    private var underWay: [Ticket: Task<Void, Never>] = [:]
    /// Due time of the model that is being woken. In a busy program, this time may be long past.
    private var waking: Date?
    /// Task that sleeps until the first of the waiting models is due.
    private var sleeper: (deadline: Date, task: Task<Void, Never>)?
    private var active: [ObjectIdentifier: any PolledModel] = [:]
    /// Task that notifies the models of new connections, while any model is active.
    private var connections: Task<Void, Never>?

    /// - Parameter connectionsMade: returns a stream with an element for each usable connection that is made after the call.
    init(time: any TimeSource, connectionsMade: @escaping @Sendable () -> AsyncStream<Void>) {
        self.connectionsMade = connectionsMade
        self.time = time
    }

    // MARK: Models

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

    /// Records the new poll interval of a model.
    func intervalChanged(of model: any PolledModel, from old: Double) {
        guard active[ObjectIdentifier(model)] != nil else { return }
        places.pollsPerSecond += 1 / model.pollIntervalSeconds - 1 / old
    }

    // MARK: Waiting

    /// Wakes a model at this time.
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

    /// Sleeps until `deadline`, then wakes the models that are due. A clock that plays a recording may end the sleep early; the models then
    /// wake early.
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

    // MARK: Polling

    /// Lets a model poll, at once or when the limit on polls in progress allows it.
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
