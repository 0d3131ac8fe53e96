public import FleetEngine
public import FleetEngineAccess
public import FoundationEssentials
import GRPCCore
import SwiftProtobuf

/// A call that an engine has answered or refused, whoever made it.
public struct AnsweredCall: Sendable {
    /// Which call it is.
    public let rpc: EngineRPC
    /// When it was answered, by the engine's clock.
    public let moment: Date
    /// From when it came until it was answered, real seconds.
    public let seconds: Double
    /// `ok`, or with what it was refused.
    public let code: StatusCode
    /// Who made it, and from where.
    let source: CallSource
    /// Nil where the call was refused before it was read.
    let request: (any EngineRequest)?
    /// Why it was refused, or what it was answered with.
    let result: Result<any Message, any Error>

    /// The full name of the trip, vehicle or provider that it was about; nil where the call was refused before it was read.
    public var subject: String? { request?.subject }
}

/// Is told of each call that an engine has answered.
public protocol CallObserver: Sendable {
    /// Must not block. Calls that are answered at the same time are told at the same time.
    func note(_ call: AnsweredCall)
}

extension StatusCode {
    /// The code with which a call is refused that failed so.
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
