package import FleetEngine
package import FoundationEssentials

/// A call in a recording, and what its answer changed.
package struct RecordedCall: Sendable {
    package enum Outcome: Sendable {
        /// The first answer about a trip, a shipment or a vehicle, with all values of the answer.
        case first([ValueChange])
        /// A later answer, with its differences from the previous answer.
        case later([ValueChange])
        /// A failed call, and the time until the next call; nil if unknown.
        case failure(FleetEngineError, retryInSeconds: Double?)
    }

    package let date: Date
    /// The name of the method, such as `GetTrip`.
    package let method: String
    package let outcome: Outcome
    /// Fleet Engine's name for the trip's status, or for the shipment's outcome or state, after this call; nil if the call does not
    /// report one.
    package let status: String?

    package init(date: Date, method: String, outcome: Outcome, status: String? = nil) {
        self.date = date
        self.method = method
        self.outcome = outcome
        self.status = status
    }

    package var changes: [ValueChange] {
        switch outcome {
        case .first(let changes), .later(let changes): changes
        case .failure: []
        }
    }
}

/// Compares each answer with the previous one about the same trip, shipment or vehicle.
struct AnswerComparison {
    private(set) var last: RecordedValue?

    /// - Parameter completed: adds the parts of `last` that the answer leaves out because they have not changed.
    mutating func outcome(
        of answer: RecordedValue,
        completed: (_ answer: RecordedValue, _ last: RecordedValue) -> RecordedValue = { answer, _ in answer }
    ) -> RecordedCall.Outcome {
        guard let before = last else {
            last = answer
            return .first(ValueChange.changes(from: nil, to: answer))
        }
        let whole = completed(answer, before)
        last = whole
        return .later(ValueChange.changes(from: before, to: whole))
    }
}

extension RecordedShipment {
    /// Calls `use` for each recorded call, in chronological order.
    package func eachCall(_ use: (RecordedCall) -> Void) {
        var comparison = AnswerComparison()
        let method = "GetTaskTrackingInfo"
        for moment in moments {
            switch moment.outcome {
            case .failure(let failure): use(RecordedCall(failure, of: method, at: moment.date))
            case .answer(let message):
                guard let answer = RecordedValue(message.json) else { continue }
                let status = answer["taskOutcome"]?.string ?? answer["state"]?.string
                use(RecordedCall(date: moment.date, method: method, outcome: comparison.outcome(of: answer), status: status))
            }
        }
    }
}

extension RecordedCall {
    init(_ failure: RecordedFailure, of method: String, at date: Date) {
        self.init(date: date, method: method, outcome: .failure(failure.error, retryInSeconds: failure.retryInSeconds))
    }
}
