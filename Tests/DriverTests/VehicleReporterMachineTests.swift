import Driver
import FleetEngine
import FoundationEssentials
import Geo
import Navigation
import Testing

@Suite("Vehicle reporter machine")
struct VehicleReporterMachineTests {
    private typealias Machine = VehicleReporterMachine

    /// Runs the state machine of a vehicle reporter with its own clock, and a server that answers at once.
    private struct Bench {
        var machine = Machine(seed: 7)
        var now = Sea.start
        var sent: [(second: Double, update: VehicleUpdate)] = []
        var outcomes: [String] = []
        var wake: Date?
        var answer: (VehicleUpdate) -> FleetEngineError? = { _ in nil }

        mutating func handle(_ event: VehicleReporterMachine.Event) {
            for action in machine.handle(event, at: now) {
                switch action {
                case .send(let id, let update):
                    sent.append((now.timeIntervalSince(Sea.start), update))
                    handle(.completed(id: id, error: answer(update)))
                case .wake(let date): wake = date
                case .didSucceed: outcomes.append("ok")
                case .didFail(_, let error): outcomes.append(error.code.name)
                }
            }
        }

        /// Gives the machine a location each second, until the time is `second` seconds.
        mutating func drive(to second: Int, navigation: NavigationReport? = nil) {
            while now.timeIntervalSince(Sea.start) < Double(second) {
                now += 1
                handle(.data(location: Sea.location(now.timeIntervalSince(Sea.start)), navigation: navigation))
                if let date = wake, date <= now {
                    wake = nil
                    handle(.timer)
                }
            }
        }

        var seconds: [Double] { sent.map(\.second) }
    }

    private func report(_ revision: Int, status: NavigationStatus = .enrouteToDestination, hasRoute: Bool = true) -> NavigationReport {
        NavigationReport(
            status: status, remainingTimeSeconds: hasRoute ? 60 : nil, remainingDistanceMeters: hasRoute ? 500 : nil,
            routeRevision: revision,
            route: hasRoute
                ? .init(
                    path: RouteLine(
                        [Sea.place(0, 0), Sea.place(500, 0)],
                        traffic: [TrafficStretch(startMeters: 100, endMeters: 150, speed: .trafficJam)]), endPoint: Sea.place(505, 0)) : nil
        )
    }

    @Test("Nothing is sent before tracking is on, nor while there is nothing to report")
    func silent() {
        var bench = Bench()
        bench.drive(to: 30)
        #expect(bench.sent.isEmpty)
        var empty = Bench()
        empty.handle(.setTracking(true))
        #expect(empty.sent.isEmpty && empty.wake == nil)
    }

    @Test("Every 10 s by default, each time with the newest location")
    func interval() {
        var bench = Bench()
        bench.handle(.setTracking(true))
        bench.handle(.setState(.online))
        bench.drive(to: 60)
        #expect(bench.seconds == [0, 5, 15, 25, 35, 45, 55])
        for (second, update) in bench.sent.dropFirst() { #expect(update.location?.updateTime == Sea.start + second) }
    }

    @Test(
        "The interval is 5 to 60 s, whatever is requested",
        arguments: [(1.0, 5.0), (-3, 5), (5, 5), (17, 17), (61, 60), (1e9, 60), (.nan, 10), (.infinity, 60)])
    func clamped(asked: Double, taken: Double) {
        var machine = Machine(seed: 1)
        _ = machine.handle(.setInterval(asked), at: Sea.start)
        #expect(machine.intervalSeconds == taken)
    }

    @Test("The masks are those of real driver apps")
    func masks() {
        var bench = Bench()
        bench.handle(.data(location: Sea.location(0), navigation: report(1)))
        bench.handle(.setTracking(true))
        bench.handle(.setState(.online))
        bench.drive(to: 10, navigation: report(1))
        bench.drive(to: 20, navigation: report(2))
        bench.drive(to: 30, navigation: report(2, status: .arrivedAtDestination))
        bench.drive(to: 40, navigation: report(3, status: .noGuidance, hasRoute: false))
        bench.drive(to: 60, navigation: report(3, status: .noGuidance, hasRoute: false))
        bench.handle(.setTracking(false))
        let route: VehicleUpdate.Fields = [.route, .routeEndPoint, .routeTraffic]
        let figures: VehicleUpdate.Fields = [.remainingTime, .remainingDistance]
        let driving: VehicleUpdate.Fields = [.state, .location, .deviceSettings]
        let expected: [VehicleUpdate.Fields] = [
            [.location, .deviceSettings, .navigationStatus, .remainingTime, .remainingDistance, .route, .routeEndPoint, .routeTraffic],
            [.state, .deviceSettings, .remainingTime, .remainingDistance],  // the same instant: the location was just sent
            driving.union(figures),
            driving.union(figures).union(route),
            driving.union(figures).union(.navigationStatus),
            driving.union(figures).union(route).union(.navigationStatus),
            driving, driving, [.state, .deviceSettings],
        ]
        #expect(bench.sent.map(\.update.fields) == expected)
        #expect(bench.sent[0].update.route.traffic.count == 1 && bench.sent[0].update.routeEndPoint?.coordinate == Sea.place(505, 0))
        #expect(bench.sent[5].update.route.isEmpty && bench.sent[5].update.remainingTimeSeconds == nil)
        let last = bench.sent[bench.sent.count - 1].update
        #expect(last.state == .offline && last.location == nil)
    }

    @Test("A new route does not wait for the interval, but 5 s lie between two requests")
    func urgent() {
        var bench = Bench()
        bench.handle(.data(location: Sea.location(0), navigation: report(1)))
        bench.handle(.setTracking(true))
        bench.drive(to: 12, navigation: report(1))
        bench.drive(to: 30, navigation: report(2))
        #expect(bench.seconds == [0, 10, 15, 25])
        #expect(bench.sent[2].update.fields.contains(.route))
    }

    @Test("An urgent update is sent at once after the current request, but it does not shorten a wait after a failure")
    func sendNow() {
        var bench = Bench()
        bench.handle(.data(location: Sea.location(0), navigation: report(1)))
        bench.handle(.setTracking(true))
        bench.drive(to: 2, navigation: report(1))
        bench.handle(.data(location: nil, navigation: report(2)))
        bench.handle(.sendNow)
        #expect(bench.seconds == [0, 2] && bench.sent[1].update.fields.contains(.route))
        bench.drive(to: 30, navigation: report(2))
        #expect(bench.seconds == [0, 2, 12, 22])
        bench.answer = { _ in Sea.error(.resourceExhausted) }
        bench.handle(.sendNow)
        let count = bench.sent.count
        bench.handle(.sendNow)
        bench.drive(to: 50, navigation: report(2))
        #expect(bench.sent.count == count)

        var machine = Machine(seed: 1)
        #expect(machine.handle(.sendNow, at: Sea.start).isEmpty)
        _ = machine.handle(.data(location: Sea.location(0), navigation: nil), at: Sea.start)
        _ = machine.handle(.setTracking(true), at: Sea.start)
        #expect(machine.handle(.sendNow, at: Sea.start + 1).isEmpty)
        let after = machine.handle(.completed(id: 1, error: nil), at: Sea.start + 2)
        #expect(after.contains { if case .send = $0 { true } else { false } })
    }

    @Test("After a server has lost the vehicle and knows it again, everything is sent anew")
    func forgotten() {
        var bench = Bench()
        bench.handle(.data(location: Sea.location(0), navigation: report(1)))
        bench.handle(.setTracking(true))
        bench.handle(.setState(.online))
        bench.drive(to: 12, navigation: report(1))
        bench.answer = { _ in Sea.error(.notFound) }
        bench.drive(to: 25, navigation: report(1))
        bench.answer = { _ in nil }
        bench.drive(to: 100, navigation: report(1))
        let update = bench.sent.last { $0.update.fields.contains(.route) }
        #expect((update?.second ?? 0) > 30 && update?.update.state == .online && update?.update.location != nil)
    }

    @Test("A location that the server already has is not sent again, but the rest is")
    func noOldLocation() {
        var bench = Bench()
        bench.handle(.setTracking(true))
        bench.handle(.setState(.online))
        bench.drive(to: 5)
        bench.now += 10
        bench.handle(.timer)
        bench.now += 10
        bench.handle(.timer)
        #expect(bench.sent.map { $0.update.fields.contains(.location) } == [false, true, false, false])
    }

    @Test("During a request nothing is sent; after it, only the newest location is")
    func newestWins() {
        var machine = Machine(seed: 1)
        _ = machine.handle(.data(location: Sea.location(0), navigation: nil), at: Sea.start)
        let first = machine.handle(.setTracking(true), at: Sea.start)
        #expect(first.count == 1)
        for second in 1...40 {
            let time = Sea.start + Double(second)
            #expect(machine.handle(.data(location: Sea.location(Double(second)), navigation: nil), at: time).isEmpty)
            #expect(machine.handle(.timer, at: time).isEmpty)
        }
        let actions = machine.handle(.completed(id: 1, error: nil), at: Sea.start + 40)
        guard case .didSucceed = actions.first, case .send(_, let update) = actions.last else {
            Issue.record("\(actions)")
            return
        }
        #expect(update.location?.updateTime == Sea.start + 40)
        #expect(machine.handle(.completed(id: 1, error: nil), at: Sea.start + 41).isEmpty)
    }

    @Test("ONLINE while tracking is off fails without a request; OFFLINE is a single request without retries")
    func stateWithoutTracking() {
        var bench = Bench()
        bench.handle(.setState(.online))
        #expect(bench.outcomes == ["FAILED_PRECONDITION"] && bench.sent.isEmpty)
        bench.handle(.setState(.unknown))
        #expect(bench.outcomes.last == "INVALID_ARGUMENT" && bench.sent.isEmpty)
        bench.answer = { _ in Sea.error(.unavailable) }
        bench.handle(.setState(.offline))
        bench.drive(to: 300)
        #expect(bench.sent.map(\.update.fields) == [[.state, .deviceSettings]])
        #expect(bench.machine.failedUpdates == 3)
    }

    @Test("Switching off sends one OFFLINE without location, even if the server does not accept it")
    func switchingOff() {
        for failure in [nil, Sea.error(.unavailable)] {
            var bench = Bench()
            bench.handle(.setTracking(true))
            bench.handle(.setState(.online))
            bench.drive(to: 22)
            bench.answer = { _ in failure }
            let before = bench.sent.count
            bench.handle(.setTracking(false))
            bench.handle(.setTracking(false))
            bench.drive(to: 400)
            #expect(bench.sent.count == before + 1)
            #expect(bench.sent.last?.update == VehicleUpdate(fields: [.state, .deviceSettings], state: .offline))
            #expect(bench.wake == nil && bench.machine.isSettled)
        }
    }

    @Test("OFFLINE waits for the current request, and is dropped if tracking is switched on before that")
    func offlineAfterFlight() {
        for comesBack in [false, true] {
            var machine = Machine(seed: 1)
            _ = machine.handle(.data(location: Sea.location(0), navigation: nil), at: Sea.start)
            _ = machine.handle(.setTracking(true), at: Sea.start)
            #expect(machine.handle(.setTracking(false), at: Sea.start + 1).isEmpty)
            #expect(!machine.isSettled)
            if comesBack { _ = machine.handle(.setTracking(true), at: Sea.start + 1) }
            let actions = machine.handle(.completed(id: 1, error: Sea.error(.unavailable)), at: Sea.start + 2)
            let sent = actions.compactMap { if case .send(_, let update) = $0 { update } else { nil } }
            if comesBack {
                #expect(sent.isEmpty)
            } else {
                #expect(sent.map(\.fields) == [[.state, .deviceSettings]])
            }
        }
    }

    @Test("After switching on again everything is sent anew, and the state is OFFLINE until it is set")
    func again() {
        var bench = Bench()
        bench.handle(.data(location: Sea.location(0), navigation: report(1)))
        bench.handle(.setTracking(true))
        bench.handle(.setState(.online))
        bench.drive(to: 12, navigation: report(1))
        bench.handle(.setTracking(false))
        bench.handle(.setTracking(true))
        let update = bench.sent[bench.sent.count - 1].update
        #expect(update.fields.isSuperset(of: [.state, .location, .route, .navigationStatus]))
        #expect(update.state == .offline)
    }

    @Test("Refusals of empty masks are counted separately, do not slow the pace, and are reported to the listener")
    func emptyMask() {
        var bench = Bench()
        let refusals = [
            Sea.error(.invalidArgument, "update_mask cannot be empty"),
            Sea.error(
                .invalidArgument, "bad", [.badRequest([.init(field: "update_mask", description: "the update_mask cannot be empty.")])]),
            Sea.error(.invalidArgument, "", [.localizedMessage(locale: "en", message: "update_mask cannot be empty")]),
        ]
        bench.handle(.data(location: Sea.location(0), navigation: nil))
        for refusal in refusals {
            bench.answer = { _ in refusal }
            if bench.sent.isEmpty { bench.handle(.setTracking(true)) } else { bench.drive(to: Int(bench.seconds.last ?? 0) + 10) }
        }
        #expect(bench.seconds == [0, 10, 20])
        #expect(bench.machine.emptyMaskUpdates == 3 && bench.machine.failedUpdates == 0)
        #expect(bench.outcomes == ["INVALID_ARGUMENT", "INVALID_ARGUMENT", "INVALID_ARGUMENT"])
    }

    @Test("Failures slow the reporter down, each attempt has the newest location, and one success resets the pace")
    func retryPace() {
        var bench = Bench()
        bench.handle(.setTracking(true))
        bench.handle(.setState(.online))
        bench.drive(to: 5)
        bench.answer = { _ in Sea.error(.unavailable) }
        bench.drive(to: 600)
        let gaps = zip(bench.seconds.dropFirst(2), bench.seconds.dropFirst(3)).map { $1 - $0 }
        #expect(gaps.count >= 9)
        for (gap, middle) in zip(gaps, [10.0, 10, 12.8, 20.48, 32.77, 52.43, 60, 60, 60]) {
            #expect(gap >= middle * 0.8 - 1 && gap <= middle * 1.2 + 1, "\(gap) for \(middle)")
        }
        for (second, update) in bench.sent.dropFirst(2) { #expect(update.location?.updateTime == Sea.start + second) }
        bench.answer = { _ in nil }
        let count = bench.sent.count
        bench.drive(to: 760)
        let after = bench.seconds.dropFirst(count + 1)
        #expect(after.count >= 8)
        #expect(zip(after, after.dropFirst()).allSatisfy { $1 - $0 == 10 })
        bench.answer = { _ in Sea.error(.unavailable) }
        let again = bench.sent.count
        bench.drive(to: 820)
        let first = zip(bench.seconds.dropFirst(again), bench.seconds.dropFirst(again + 1)).map { $1 - $0 }
        #expect(first.count >= 2 && first.prefix(2).allSatisfy { $0 <= 13 }, "\(first)")
    }

    @Test(
        "If the server answers another call, an unanswered update is repeated at once, but not before a wait that the server asked for",
        arguments: [
            (Sea.error(.unavailable), 1), (Sea.error(.resourceExhausted), 0),
            (Sea.error(.unavailable, "", [.retryInfo(delaySeconds: 200)]), 0),
        ])
    func serverAnswered(error: FleetEngineError, more: Int) {
        var bench = Bench()
        bench.handle(.data(location: Sea.location(0), navigation: nil))
        bench.answer = { _ in error }
        bench.handle(.setTracking(true))
        bench.drive(to: 2)
        let count = bench.sent.count
        bench.answer = { _ in nil }
        bench.handle(.serverAnswered)
        #expect(bench.sent.count == count + more)
        bench.handle(.serverAnswered)
        #expect(bench.sent.count == count + more)
    }

    @Test("If the server answers another call during an update, the update is repeated only if it fails", arguments: [true, false])
    func serverAnsweredInFlight(fails: Bool) {
        var machine = Machine(seed: 1)
        func sent(_ actions: [Machine.Action]) -> Int { actions.count { if case .send = $0 { true } else { false } } }
        _ = machine.handle(.data(location: Sea.location(0), navigation: nil), at: Sea.start)
        _ = machine.handle(.setTracking(true), at: Sea.start)
        _ = machine.handle(.completed(id: 1, error: Sea.error(.unavailable)), at: Sea.start)
        let retry = machine.handle(.timer, at: Sea.start + 60)
        let answered = machine.handle(.serverAnswered, at: Sea.start + 61)
        #expect(sent(retry) == 1 && sent(answered) == 0)
        let end = machine.handle(.completed(id: 2, error: fails ? Sea.error(.unavailable) : nil), at: Sea.start + 62)
        #expect(sent(end) == (fails ? 1 : 0))
        // After a second failure, the machine waits before it sends again.
        let again = machine.handle(.completed(id: 3, error: Sea.error(.unavailable)), at: Sea.start + 62)
        #expect(sent(again) == 0)
    }

    @Test("The waits of a reporter keep growing while the server answers only other calls")
    func serverAnswersOthers() {
        var bench = Bench()
        bench.handle(.data(location: Sea.location(0), navigation: nil))
        bench.answer = { _ in Sea.error(.unavailable) }
        bench.handle(.setTracking(true))
        for _ in 1...6 { bench.handle(.serverAnswered) }
        // After seven failures, the wait is 60 s.
        #expect(bench.sent.count == 7 && (bench.wake ?? Sea.start).timeIntervalSince(Sea.start) >= 47)
    }

    @Test("A changed state does not shorten a wait")
    func stateInBackOff() {
        var bench = Bench()
        bench.handle(.data(location: Sea.location(0), navigation: nil))
        bench.answer = { _ in Sea.error(.resourceExhausted) }
        bench.handle(.setTracking(true))
        bench.handle(.setState(.online))
        #expect(bench.sent.count == 1)
        bench.drive(to: 29)
        #expect(bench.sent.count == 1)
        bench.drive(to: 40)
        #expect(bench.sent.count == 2 && bench.sent[1].update.state == .online)
    }

    @Test("Headings are rounded first and then brought below 360", arguments: [(359.4, 359.0), (359.6, 0), (0, 0), (0.5, 1), (89.49, 89)])
    func heading(course: Double, sent: Double) {
        #expect(VehicleLocation(Sea.location(0, course: course)).headingDegrees == sent)
    }

    @Test("Unknown figures stay nil")
    func unknown() {
        let location = VehicleLocation(Sea.location(0, course: -1, speed: -1))
        #expect(location.headingDegrees == nil && location.speedMetersPerSecond == nil && location.altitudeMeters == nil)
        #expect(location.isRoadSnapped == false && location.updateTime == Sea.start)
    }
}
