public import FleetEngine
public import FleetEngineAccess
public import FoundationEssentials
import GRPCCore
import SwiftProtobuf

/// A call that an engine has answered or refused.
public struct AnsweredCall: Sendable {
    /// RPC of the call.
    public let rpc: EngineRPC
    /// Time of the answer, by the engine's clock.
    public let moment: Date
    /// Real time in seconds between the call's arrival and its answer.
    public let seconds: Double
    /// `ok`, or the status code of the refusal.
    public let code: StatusCode
    /// Caller and address of the call.
    let source: CallSource
    /// The request; nil if the call was refused before it was read.
    let request: (any EngineRequest)?
    /// The name in the path of a REST call that was refused. Nil for all other calls, and if the call was refused before its token was
    /// accepted.
    let pathName: String?
    /// The answer, or the error with which the call was refused.
    let result: Result<any Message, any Error>

    /// Full name of the call's trip, vehicle, task, shipment or provider; nil if the call was refused before its name was read.
    public var subject: String? { request?.subject ?? pathName }
}

/// Receives each call that an engine has answered.
public protocol CallObserver: Sendable {
    /// Receives an answered call. Must not block. Calls that are answered at the same time are reported concurrently.
    func note(_ call: AnsweredCall)
}

extension StatusCode {
    /// Creates the status code that the caller gets for `error`.
    init(ofRefusal error: any Error) {
        switch error {
        case let error as FleetEngineError: self = error.code
        case let error as RESTRefusal: self = error.error.code
        case let error as RPCError: self.init(number: error.code.rawValue)
        case is CancellationError: self = .cancelled
        default: self = .unknown
        }
    }
}
